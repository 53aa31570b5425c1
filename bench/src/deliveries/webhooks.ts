import type { Leadwire } from '../leadwire.ts';
import { bearer } from '../traffic.ts';

export type Webhook = { id: string; url: string; secret: string };

async function call(
  leadwire: Leadwire,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${leadwire.service.port}/api/v1/webhooks${path}`, {
    method,
    headers: { ...bearer(leadwire.key.secret_key), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} webhooks${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

/** Registers an endpoint for new leads. */
export async function createWebhook(leadwire: Leadwire, url: string): Promise<Webhook> {
  return (await call(leadwire, 'POST', '', { url, events: ['lead.created'] })) as Webhook;
}

export async function setActive(leadwire: Leadwire, id: string, active: boolean): Promise<void> {
  await call(leadwire, 'PATCH', `/${id}`, { active });
}

export async function removeWebhook(leadwire: Leadwire, id: string): Promise<void> {
  await call(leadwire, 'DELETE', `/${id}`);
}
