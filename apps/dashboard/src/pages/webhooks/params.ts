import type { WebhookWithHealth } from '@leadwire/contract/dashboard';

/** What the address names. */
export type WebhookParams = { account: string; webhook: string };

export type ShownWebhook = WebhookWithHealth;

/** What a dialog about one webhook gets. */
export type WebhookDialogProps = {
  webhook: ShownWebhook;
  params: WebhookParams;
  opened: boolean;
  onClose: () => void;
};
