import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseYaml } from '@redocly/openapi-core';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const read = (path: string) => readFile(`${ROOT}${path}`, 'utf8');

const FILES = [
  'Dockerfile',
  'compose.yaml',
  'deploy/leadwire.env.example',
  'deploy/systemd/leadwire.service',
];
// Of the files themselves: where the proxy listens, and the password that becomes a part of DATABASE_URL.
const NO_SETTINGS = ['LEADWIRE_LISTEN', 'LEADWIRE_DB_PASSWORD'];

describe('the deployment files', () => {
  it('name no setting that the service does not know', async () => {
    const known: string[] = (await read('docs/settings.md')).match(/(?<=^\| `)\w+/gm) ?? [];
    assert.ok(known.length > 10);
    for (const file of FILES) {
      const named = (await read(file)).match(/\bLEADWIRE_\w+|\bSMTP_URL\b|\b\w+_URL\b/g) ?? [];
      const unknown = named.filter((name) => !known.includes(name) && !NO_SETTINGS.includes(name));
      assert.deepEqual(unknown, [], file);
    }
  });

  it('build the image in stages, as no root, with a health check', async () => {
    const stages = (await read('Dockerfile')).split(/^FROM /m).slice(1);
    assert.ok(stages.length >= 2);
    const last = stages.at(-1) ?? '';
    assert.match(last, /^USER (?!root\b|0\b)\w+$/m);
    assert.match(last, /^HEALTHCHECK .*\\\n\s*CMD .*\/healthz/m);
    assert.ok(last.lastIndexOf('\nUSER ') < last.indexOf('\nCMD '));
  });

  it('run two api and two worker nodes on one store, and show nothing of them but the proxy', async () => {
    type Service = { environment?: Record<string, string>; ports?: unknown };
    const { services } = parseYaml(await read('compose.yaml')) as {
      services: Record<string, Service>;
    };
    const of = (role: string) =>
      Object.values(services).filter(({ environment }) => environment?.LEADWIRE_ROLE === role);
    const nodes = [of('api'), of('worker')];
    assert.deepEqual(
      nodes.map(({ length }) => length),
      [2, 2],
    );
    for (const { environment } of nodes.flat()) {
      assert.ok(environment?.DATABASE_URL && environment.REDIS_URL);
    }
    const shown = Object.keys(services).filter((name) => services[name]?.ports);
    assert.deepEqual(shown, ['proxy']);
  });

  it('say what of them was run and what was not', async () => {
    for (const file of ['Dockerfile', 'compose.yaml', 'deploy/systemd/leadwire.service']) {
      assert.match(await read(file), /^# Run on \d{4}-\d\d-\d\d[\s\S]*?Not run:/m, file);
    }
  });

  it('build the image with the Node that the checkout pins', async () => {
    const { dependencies } = JSON.parse(await read('package.json'));
    assert.ok((await read('Dockerfile')).includes(`NODE_IMAGE=node:${dependencies.node}-`));
  });

  it('copy the manifest of every workspace before its packages are installed', async () => {
    const { workspaces } = JSON.parse(await read('package.json'));
    const manifests = workspaces.map((path: string) => `${path}/package.json`);
    const dockerfile = await read('Dockerfile');
    const ignored = await read('.dockerignore');
    let count = 0;
    for await (const found of glob(manifests, { cwd: ROOT })) {
      const directory = found.replace('package.json', '');
      assert.ok(dockerfile.includes(`COPY ${found} ${directory}\n`), found);
      const isSent = [found, directory.split('/')[0]].some((path) =>
        ignored.includes(`!${path}\n`),
      );
      assert.ok(isSent, `${found} in .dockerignore`);
      count += 1;
    }
    assert.ok(count >= 4);
  });
});
