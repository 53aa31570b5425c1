import { readFileSync } from 'node:fs';
import { partsOf, type SigningVector } from './vectors.ts';

const SOURCE = new URL('../../../../../examples/node/send-lead.mjs', import.meta.url);

/** Signs with the function of the example for Node, cut out of it: a script sends a lead when it is imported. */
export async function signInNode(vectors: SigningVector[]): Promise<string[]> {
  const source = readFileSync(SOURCE, 'utf8');
  const parts = [/^import .* from 'node:crypto';$/m, /^function sign\([\s\S]*?^}$/m].map(
    (part) => part.exec(source)?.[0],
  );
  const module = `${parts.join('\n')}\nexport { sign };`;
  const { sign } = await import(`data:text/javascript,${encodeURIComponent(module)}`);
  return vectors.map(({ secret_key, timestamp, method, target, body }) => {
    const { path, query } = partsOf(target);
    return sign(secret_key, timestamp, method, path, query, body);
  });
}
