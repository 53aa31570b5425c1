import Type from 'typebox';
import { SCOPES, type Scope } from '../../names.ts';
import { body, name, oneOf, type Range, rangeQuery } from './parts.ts';

const rateLimit = Type.Object(
  {
    /** 0: unlimited. */
    max: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    window_seconds: Type.Integer({ minimum: 1, maximum: 86_400 }),
  },
  { additionalProperties: false },
);

export const keyRequests = {
  createKey: {
    body: body({
      name,
      scopes: Type.Array(oneOf(SCOPES), {
        minItems: 1,
        maxItems: SCOPES.length,
        uniqueItems: true,
      }),
      expires_at: Type.Optional(Type.String({ maxLength: 64, format: 'timestamp' })),
      rate_limit: Type.Optional(rateLimit),
    }),
  },
  /** For how long the key that is replaced goes on working. */
  rotateKey: { body: body({ overlap_hours: Type.Integer({ minimum: 0, maximum: 24 * 30 }) }) },
  getKeyUsage: { query: rangeQuery },
  checkSignature: {
    body: body({
      method: Type.String({ minLength: 1, maxLength: 16 }),
      /** As it was sent: path and query. */
      target: Type.String({ minLength: 1, maxLength: 8192 }),
      body: Type.String({ maxLength: 200_000 }),
      public_key: Type.String({ maxLength: 255 }),
      timestamp: Type.String({ maxLength: 64 }),
      signature: Type.String({ maxLength: 255 }),
      /** What the sender signed, where they know it. */
      string_to_sign: Type.Optional(Type.String({ maxLength: 16_384 })),
    }),
  },
} as const;

export const KEY_STATES = ['active', 'expired', 'revoked'] as const;

export type ApiKey = {
  id: string;
  public_key: string;
  name: string;
  scopes: Scope[];
  state: (typeof KEY_STATES)[number];
  /** Null: the default of the service. max 0: unlimited. */
  rate_limit: { max: number; window_seconds: number } | null;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  created_at: string;
  /** The key that it was rotated into. */
  replaced_by: string | null;
};

/** A request that was refused: what the sender did wrong, without what they sent. */
export type Refusal = {
  id: string;
  at: string;
  request_id: string;
  address: string | null;
  method: string;
  route: string;
  status: number;
  /** The stable code; `validation` for failed validation. */
  reason: string;
  message: string;
  /** Which row of a batch. */
  row: number | null;
  fields: { path: string; code: string; message: string }[];
};

export type KeyUsage = {
  range: Range;
  step_seconds: number;
  points: { at: string; accepted: number; refused: number }[];
};

export type SignatureCheck = {
  verdict: 'valid' | 'unknown_key' | 'timestamp_malformed' | 'expired' | 'mismatch';
  message: string;
  server_time: string;
  /** The sender's clock less ours; null where the timestamp is no number. */
  skew_seconds: number | null;
  /** The five lines as the service would sign them. */
  expected: { name: string; value: string }[];
  /** Where the sender's own string differs, line by line; null where they gave none. */
  differences: { line: number; name: string; expected: string; given: string | null }[] | null;
};

export type KeyAnswers = {
  listKeys: { keys: ApiKey[] };
  /** `secret_key` is shown here and never again. */
  createKey: { key: ApiKey; secret_key: string };
  getKey: ApiKey;
  rotateKey: { key: ApiKey; secret_key: string; replaced: ApiKey };
  revokeKey: ApiKey;
  getKeyUsage: KeyUsage;
  listRefusals: { refusals: Refusal[] };
  checkSignature: SignatureCheck;
};
