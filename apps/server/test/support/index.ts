/**
 * Black-box test harness. Run with the global setup, which starts one PostgreSQL for all test files:
 *
 *   node --test --test-global-setup=apps/server/test/support/global-setup.ts FILES
 *
 * A test file:
 *
 *   const database = await createTestDatabase();     // a clone of the seeded template; goes with the run
 *   const server = await startServer({ database });  // a real process; stop it in after(), a leaked one fails the file
 *   const { ours, theirs } = seed();                 // accounts, campaigns and keys that every clone holds
 *   const answer = await server.call('POST', '/api/v1/insertion/leads', { key: ours.full, body: { … } });
 *   answer.status, answer.headers, answer.text, answer.json
 *
 * - createTestDatabase({ from: 'seeded' | 'migrated' | 'empty' }): `env` (DATABASE_URL and key) for cli(), `query()`, `drop()`.
 * - startServer({ database?, env?, port? }): url, pid, call(), logs(), logLines(), stop(), kill(), exited.
 * - call(url, method, path, { key, hmac, body, headers }): `key` sends Bearer, `hmac` signs; a body that is a string or
 *   Buffer is sent as it is, anything else as JSON. server.call() is the same for that server.
 * - sign(): the HMAC of the contract, written from its text alone. rawRequest(): bytes over a socket.
 * - cli(args, env): a command as it is; cliJson(): with --json, parsed, must succeed.
 *   createAccount, createCampaign, createKey: shortcuts (each starts a process, about 0.3 s).
 * - startReceiver({ respond?, tls? }): an endpoint for webhooks: url, requests, waitFor(), respond(), load, close().
 * - seed().people: owner, admin, member and viewer of `ours`, stranger (owner of `theirs`): id, name, email, cookie; SEEDED_PASSWORD.
 * - visitor(server, cookie?): a browser without a window: call(method, path below /dashboard/api, { body }), keeps cookies.
 *   openDashboard({ env? }): database, server (stopped after the file), ours, theirs, people, and as(who): a visitor for each.
 *   signUp(server, { link }): joins by a link; invite(env, { account, role }): makes one with the command line.
 * - eventually(): polls until an assertion holds.
 */
export { type Call, type CallOptions, call, createCall, type Json, rawRequest } from './call.ts';
export { cli, cliJson, createAccount, createCampaign, createKey } from './cli.ts';
export { invite, PASSWORD, signUp, tokenOf, type Visitor, visitor } from './dashboard.ts';
export { createTestDatabase, type TestDatabase } from './database.ts';
export { eventually } from './eventually.ts';
export { openDashboard } from './open-dashboard.ts';
export { SEEDED_PASSWORD, type SeededPeople, type SeededPerson } from './people.ts';
export { type Received, type Receiver, type Reply, startReceiver } from './receiver.ts';
export { type Seed, type SeededKey, seed } from './seed.ts';
export { startServer, type TestServer } from './server.ts';
export { type Credentials, sign, stringToSign } from './sign.ts';
