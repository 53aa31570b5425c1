/**
 * What happened, written by the very statement that makes it happen: these are parts of the statements of other
 * modules, so that an event exists if and only if its change committed, and its deliveries with it.
 */

/**
 * Two CTEs, `event` and `delivery`: the events of lead changes, each with a delivery for every active webhook of the account
 * that wants its type. `changes` names a CTE with account_id, lead_id, version, occurred_at, event_id, event_type and
 * converted_event_id (NULL where the lead did not become converted).
 */
export const leadEventCtes = (changes: string): string => `
  event AS (
    INSERT INTO events (account_id, id, type, occurred_at, lead_id, lead_version)
    SELECT account_id, event_id, event_type, occurred_at, lead_id, version FROM ${changes}
    UNION ALL
    SELECT account_id, converted_event_id, 'lead.converted', occurred_at, lead_id, version
    FROM ${changes} WHERE converted_event_id IS NOT NULL
    RETURNING account_id, id, type, occurred_at
  ),
  ${DELIVERY_CTE}`;

/** The same for a campaign. `changed` names a CTE with the columns of campaigns; the rest are parameters. */
export const campaignEventCtes = (
  changed: string,
  parameters: { id: string; type: string; at: string },
): string => `
  event AS (
    INSERT INTO events (account_id, id, type, occurred_at, campaign)
    SELECT account_id, ${parameters.id}::uuid, ${parameters.type}::text, ${parameters.at}::timestamptz,
      json_build_object('id', id, 'account_id', account_id, 'name', name, 'state', state)
    FROM ${changed}
    RETURNING account_id, id, type, occurred_at
  ),
  ${DELIVERY_CTE}`;

// Due by the store's clock, which is also the one that workers ask: nodes need not agree on the time.
const DELIVERY_CTE = `delivery AS (
    INSERT INTO deliveries (account_id, webhook_id, event_id, due_at)
    SELECT event.account_id, webhooks.id, event.id, now()
    FROM event JOIN webhooks ON webhooks.account_id = event.account_id
      AND webhooks.active AND event.type = ANY (webhooks.events)
  )`;
