export * from './answers.ts';
export * from './deliveries.ts';
export * from './events.ts';
export * from './lead.ts';
export * from './limits.ts';
export * from './names.ts';
export * from './queries.ts';
export * from './webhooks.ts';
