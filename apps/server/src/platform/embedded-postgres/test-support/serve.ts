// A service reduced to its PostgreSQL, for tests that kill it. The options come as JSON in argv.
import { startEmbeddedPostgres } from '../index.ts';

// Ctrl-C is the service's to answer; here it only must not reach PostgreSQL.
process.on('SIGINT', () => {});
const log = { info: () => {}, warn: () => {} };
const options = JSON.parse(process.argv[2] ?? '{}');
try {
  const postgres = await startEmbeddedPostgres({ durable: false, ...options, log });
  process.once('SIGTERM', () => void postgres.stop());
  process.once('SIGUSR2', () => process.exit(3));
  const { url, adminUrl } = postgres;
  process.stdout.write(`${JSON.stringify({ url, adminUrl, pid: postgres.pid() })}\n`);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: (error as Error).message })}\n`);
}
