/** Why an attempt at a delivery failed, by how far it got. */
export const DELIVERY_ERRORS = [
  'address_refused',
  'name_not_resolved',
  'connection_failed',
  'tls_failed',
  'timeout',
  'connection_lost',
  'bad_answer',
  'redirect',
  'status',
] as const;
export type DeliveryError = (typeof DELIVERY_ERRORS)[number];

/** waiting: not tried yet; retrying: failed at least once and due again; delivered; given_up: failed for the last time. */
export const DELIVERY_STATES = ['waiting', 'retrying', 'delivered', 'given_up'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** requested: by a PATCH; gone: it answered 410; failing: five days of failures alone. */
export const INACTIVE_REASONS = ['requested', 'gone', 'failing'] as const;
export type InactiveReason = (typeof INACTIVE_REASONS)[number];
