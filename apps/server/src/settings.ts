import { FEATURES, type Feature } from '@leadwire/contract';
import {
  ConfigError,
  integer,
  oneOf,
  onOff,
  readSettings,
  type Setting,
  text,
} from './platform/config/index.ts';
import { parseHosts } from './platform/database/hosts.ts';

/** Every setting of the service; the table in docs/settings.md is checked against this one. */
export const SETTINGS = {
  port: {
    name: 'PORT',
    default: '3000',
    doc: 'Port to listen on.',
    parse: integer(0, 65_535),
  },
  host: { name: 'HOST', default: '127.0.0.1', doc: 'Address to listen on.', parse: text },
  databaseUrl: {
    name: 'DATABASE_URL',
    doc: 'PostgreSQL 15 or newer; several hosts may be listed. Absent: the embedded PostgreSQL in the data directory.',
    parse: postgresUrl,
  },
  dataDir: {
    name: 'LEADWIRE_DATA_DIR',
    default: './data',
    doc: 'Where the embedded PostgreSQL and the generated encryption key live.',
    parse: text,
  },
  role: {
    name: 'LEADWIRE_ROLE',
    default: 'all',
    doc: 'What this process does: all, api or worker.',
    parse: oneOf('all', 'api', 'worker'),
  },
  redisUrl: {
    name: 'REDIS_URL',
    doc: 'Shared rate limits for several nodes. Absent: limits in process.',
    parse: redisUrl,
  },
  encryptionKeys: {
    name: 'LEADWIRE_ENCRYPTION_KEY',
    doc: 'Encrypts stored signing secrets: 32 bytes in base64 or hex; several, separated by commas, to rotate: the first encrypts. Generated into the data directory in embedded mode, required otherwise.',
    parse: encryptionKeys,
  },
  encryptionKeyIsLost: {
    name: 'LEADWIRE_ENCRYPTION_KEY_LOST',
    default: 'off',
    doc: 'on: starts although the encryption key opens none of the stored secrets, because theirs is lost for good. Not needed any more once a key or a webhook secret was made anew.',
    parse: onOff,
  },
  publicUrl: {
    name: 'LEADWIRE_PUBLIC_URL',
    doc: "Where people open the dashboard, e.g. https://leads.example.com: the start of the links in mails, and trusted as their browsers' origin. With https cookies are sent over https alone. Default: http://HOST:PORT.",
    parse: publicUrl,
  },
  smtpUrl: {
    name: 'SMTP_URL',
    doc: 'Sends invitations and password resets, e.g. smtps://user:password@mail.example.com. Absent: the links are shown to whoever makes them.',
    parse: smtpUrl,
  },
  mailFrom: {
    name: 'LEADWIRE_MAIL_FROM',
    doc: 'The sender of mails, e.g. Leadwire <leads@example.com>; required with SMTP_URL.',
    parse: text,
  },
  allowPrivateWebhooks: {
    name: 'LEADWIRE_ALLOW_PRIVATE_WEBHOOKS',
    doc: 'Whether webhooks may go to private addresses, and by plain http. Default: only where the service itself listens on loopback alone, without a trusted proxy, and its store is on this machine.',
    parse: onOff,
  },
  maxWebhooks: {
    name: 'LEADWIRE_MAX_WEBHOOKS',
    default: '100',
    doc: 'How many webhooks an account may have.',
    parse: integer(1, 100_000),
  },
  attemptRetentionDays: {
    name: 'LEADWIRE_ATTEMPT_RETENTION_DAYS',
    default: '30',
    doc: 'How many days the log of delivery attempts is kept.',
    parse: integer(1, 3_650),
  },
  featuresOff: {
    name: 'LEADWIRE_FEATURES_OFF',
    default: '',
    doc: `Features switched off for the whole deployment, separated by commas: ${FEATURES.join(', ')}.`,
    parse: featureList,
  },
  logLevel: {
    name: 'LEADWIRE_LOG_LEVEL',
    default: 'info',
    doc: 'fatal, error, warn, info, debug, trace or silent.',
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  },
  trustProxy: {
    name: 'LEADWIRE_TRUST_PROXY',
    default: '0',
    doc: 'How many proxies stand before the service and set X-Forwarded-For.',
    parse: integer(0, 16),
  },
} satisfies Record<string, Setting<unknown>>;

export type Config = ReturnType<typeof readConfig>;

/** Parses the environment once. @throws ConfigError with a line for each bad setting. */
export const readConfig = (env: Record<string, string | undefined>) => {
  const values = readSettings(SETTINGS, env);
  if (values.smtpUrl && !values.mailFrom) {
    throw new ConfigError('LEADWIRE_MAIL_FROM: must be set with SMTP_URL');
  }
  return Object.freeze({
    ...values,
    port: values.port as number,
    host: values.host as string,
    dataDir: values.dataDir as string,
    role: values.role as 'all' | 'api' | 'worker',
    featuresOff: values.featuresOff ?? [],
    logLevel: values.logLevel as string,
    trustProxy: values.trustProxy as number,
    maxWebhooks: values.maxWebhooks as number,
    attemptRetentionDays: values.attemptRetentionDays as number,
    /** An origin: no path, no slash at its end. */
    publicUrl: values.publicUrl ?? httpUrl(values.host as string, values.port as number),
    publicUrlIsSet: values.publicUrl !== undefined,
    allowPrivateIsSet: values.allowPrivateWebhooks !== undefined,
    allowPrivateWebhooks: values.allowPrivateWebhooks ?? isOnlyHere(values),
  });
};

/**
 * Whether this is a developer's machine: it listens on loopback alone, no proxy stands before it, and the store is here too. (A worker
 * listens for its probes only, so that its address says little.)
 */
function isOnlyHere({ host, trustProxy, databaseUrl }: ListeningSettings): boolean {
  if (!isLoopback(host as string) || trustProxy !== 0) return false;
  if (!databaseUrl) return true;
  return parseHosts(databaseUrl).all.every((one) => isLoopback(one.host));
}

type ListeningSettings = {
  host?: string | undefined;
  trustProxy?: number | undefined;
  databaseUrl?: string | undefined;
};

/** `localhost`, 127.0.0.0/8, ::1, or the directory of a Unix socket. */
const isLoopback = (host: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?|\/.*)$/i.test(host);

function postgresUrl(value: string): string {
  if (!/^postgres(ql)?:\/\/./.test(value)) throw new Error('must start with postgres://');
  // It reads the files of certificates that the address names.
  parseHosts(value);
  return value;
}

function redisUrl(value: string): string {
  if (!/^rediss?:\/\/./.test(value) || !URL.canParse(value)) {
    throw new Error('must be an address like redis://host:6379');
  }
  return value;
}

/** Where a service that listens there is opened. */
export function httpUrl(host: string, port: number): string {
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`;
}

function publicUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash) {
    throw new Error('must be an address without a path, like https://leads.example.com');
  }
  return url.origin;
}

function smtpUrl(value: string): string {
  if (!/^smtps?:\/\/./.test(value) || !URL.canParse(value)) {
    throw new Error('must be an address like smtps://user:password@host');
  }
  return value;
}

function encryptionKeys(value: string): Buffer[] {
  return value.split(',').map((part) => {
    const key = Buffer.from(part.trim(), /^[0-9a-f]{64}$/i.test(part.trim()) ? 'hex' : 'base64');
    if (key.length !== 32) {
      throw new Error('must be 32 bytes in base64 or hex, e.g. made by `openssl rand -base64 32`');
    }
    return key;
  });
}

function featureList(value: string): Feature[] {
  const names = value.split(',').map((name) => name.trim());
  return names.filter((name) => name !== '').map(oneOf(...FEATURES));
}
