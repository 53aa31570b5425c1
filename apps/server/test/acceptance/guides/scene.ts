import { cliJson, createTestDatabase, startServer } from '../../support/index.ts';
import { runGuide } from './run-guide.ts';

/**
 * Runs a guide against a service as a first start leaves it: the account `default` with campaign 1, a key of both scopes, and
 * nothing of other guides.
 */
export async function runAgainstService(name: string, markdown: string): Promise<void> {
  const database = await createTestDatabase({ from: 'migrated' });
  const server = await startServer({ database });
  try {
    const key = await cliJson(
      ['keys', 'create', '--account', 'default', '--scopes', 'leads:read,leads:write'].concat(
        ...['--name', 'guide'],
      ),
      database.env,
    );
    const env = {
      LEADWIRE_URL: server.url,
      LEADWIRE_PUBLIC_KEY: key.public_key,
      LEADWIRE_SECRET_KEY: key.secret_key,
      CAMPAIGN: '1',
    };
    await runGuide({ ...{ name, markdown, env }, store: database.env });
  } finally {
    await server.stop();
    await database.drop();
  }
}
