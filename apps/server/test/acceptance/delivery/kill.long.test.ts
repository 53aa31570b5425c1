import { it } from 'node:test';
import { runKillRounds } from '../../chaos/kill-rounds.ts';

it('nothing is lost when a worker, the API or PostgreSQL is killed under load', async (t) => {
  await runKillRounds({ rounds: 3, report: (line) => t.diagnostic(line) });
});
