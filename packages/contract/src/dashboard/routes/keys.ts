import type { DashboardRoute } from '../route.ts';

export const keyRoutes = {
  listKeys: { method: 'GET', path: '/accounts/:account/keys', may: 'keys.read' },
  createKey: { method: 'POST', path: '/accounts/:account/keys', may: 'keys.change' },
  getKey: { method: 'GET', path: '/accounts/:account/keys/:key', may: 'keys.read' },
  rotateKey: { method: 'POST', path: '/accounts/:account/keys/:key/rotate', may: 'keys.change' },
  revokeKey: { method: 'POST', path: '/accounts/:account/keys/:key/revoke', may: 'keys.change' },
  getKeyUsage: { method: 'GET', path: '/accounts/:account/keys/:key/usage', may: 'keys.read' },
  listRefusals: { method: 'GET', path: '/accounts/:account/keys/:key/refusals', may: 'keys.read' },
  checkSignature: { method: 'POST', path: '/accounts/:account/signature-check', may: 'keys.read' },
} as const satisfies Record<string, DashboardRoute>;
