/**
 * The long kill suite: `node apps/server/test/chaos/kill.ts [rounds]`, 20 unless told otherwise. Ends with 1 where an event was lost.
 */
import { runKillRounds } from './kill-rounds.ts';

const rounds = Number(process.argv[2] ?? 20);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('The rounds must be a whole number.');
await runKillRounds({ rounds, report: console.log });
console.log(`${rounds} rounds: every event of every webhook arrived.`);
process.exit(0);
