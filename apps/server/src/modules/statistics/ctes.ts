/** How much of a source is told apart. */
export const SOURCE_CHARACTERS = 120;

/**
 * A CTE, `tally`: counts leads by the very statement that writes them, so that the figures are exact whatever is killed
 * when. `changes` names a CTE with account_id, campaign_id, source and occurred_at of each lead that was written; `outcome`
 * is an SQL expression over it. No other writer is waited for: rows are only added (ADR 0017).
 */
export const leadTallyCte = (changes: string, outcome: string): string => `
  tally AS (
    INSERT INTO tallies (account_id, at, metric, subject, outcome, detail, n)
    SELECT account_id, date_bin('1 minute', occurred_at, '2000-01-01 00:00Z'), 'leads', campaign_id::text, ${outcome},
      coalesce('=' || left(source, ${SOURCE_CHARACTERS}), ''), count(*)
    FROM ${changes} GROUP BY 1, 2, campaign_id, source, 5
  )`;
