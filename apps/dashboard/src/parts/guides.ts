/** The guides that pages lead to: names of docs/guides. */
export const GUIDES = ['authentication', 'errors-and-retries', 'webhooks'] as const;
