const bearer = { feature: 'webhooks', hmac: false } as const;

export const READ = { ...bearer, scopes: ['leads:read'] } as const;
/** Deliveries disclose leads: who changes where they go, or has them sent, must be allowed to read them (contract section 5). */
export const CHANGE = { ...bearer, scopes: ['leads:write', 'leads:read'] } as const;
export const DELETE = { ...bearer, scopes: ['leads:write'] } as const;
