import { fromPublicId, toPublicId } from '../../platform/ids/index.ts';

export const webhookIdOf = (uuid: string): string => toPublicId('wh', uuid);
/** @returns null where `text` is no webhook id */
export const parseWebhookId = (text: string): string | null => fromPublicId('wh', text);
