import {
  type Database,
  int4Array,
  textArray,
  timestamptzArray,
  uuidArray,
} from '../../../platform/database/index.ts';
import type { WaitingTally } from '../tally.ts';

/** Never repeated by itself: what is written twice is counted twice. */
export async function addTallies(database: Database, tallies: WaitingTally[]): Promise<void> {
  await database.transaction((query) =>
    query({
      text: `INSERT INTO tallies (account_id, at, metric, subject, outcome, detail, n)
             SELECT account_id, at, metric, subject, outcome, detail, n
             FROM unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int4[])
               AS input (account_id, at, metric, subject, outcome, detail, n)`,
      values: [
        uuidArray(tallies.map(({ accountId }) => accountId)),
        timestamptzArray(tallies.map(({ at }) => at)),
        textArray(tallies.map(({ metric }) => metric)),
        textArray(tallies.map(({ subject }) => subject)),
        textArray(tallies.map(({ outcome }) => outcome)),
        textArray(tallies.map(({ detail }) => detail)),
        int4Array(tallies.map(({ n }) => n)),
      ],
    }),
  );
}
