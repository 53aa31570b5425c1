/**
 * A CTE `queue` of every webhook for which something waits, of all accounts. It steps from one queue to the next through the primary
 * key, so that it costs by the number of queues and not of what waits in them.
 */
export const QUEUES = `
  WITH RECURSIVE queue AS (
    (SELECT account_id, webhook_id FROM deliveries ORDER BY account_id, webhook_id LIMIT 1)
    UNION ALL
    SELECT following.account_id, following.webhook_id FROM queue CROSS JOIN LATERAL (
      SELECT account_id, webhook_id FROM deliveries
      WHERE (account_id, webhook_id) > (queue.account_id, queue.webhook_id)
      ORDER BY account_id, webhook_id LIMIT 1
    ) following
  )`;
