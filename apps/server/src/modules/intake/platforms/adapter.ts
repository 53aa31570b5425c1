import type { FORM_TARGETS } from '@leadwire/contract/dashboard';
import type { PublicForm } from '../forms/index.ts';

export type LeadTarget = (typeof FORM_TARGETS)[number];

/** A value that has a field of the lead. `from` and `raw`: what the platform calls it and sent, kept where the field cannot take it. */
export type Mapped = { to: LeadTarget; value: string; from: string; raw: unknown };

/** A lead as a platform tells of it. */
export type PlatformLead = {
  /** The platform's own id of the lead, with every digit; null where it sent none. */
  externalId: string | null;
  /** Sent by a person who tries the connection: nothing of it becomes a lead. */
  isTest: boolean;
  /** Each field of the lead at most once. */
  mapped: Mapped[];
  /** All else that was sent, but the key, under the platform's names; a name may stand there twice. */
  others: [name: string, value: unknown][];
};

/**
 * What a platform that sends leads differs in. One file each: the route, the checks and their order, the limits and the log are the same for
 * all, and so is the suite that they must pass (test/acceptance/intake/platforms.ts).
 */
export type PlatformAdapter = {
  /** Last part of the address, and how the form's log calls it. */
  name: string;
  /** Source of its leads where the form has none. */
  source: string;
  /** What the member that holds the key is called, for messages. */
  keyName: string;
  /** SHA-256 of the key that the platform must send; null where none was made. */
  keyHashOf(form: PublicForm): Buffer | null;
  /** The key that a body holds. Bodies are whatever was sent: JSON whose numbers that would lose digits are strings. */
  keyOf(body: unknown): string | null;
  /** Reads a body whose key was right. It never throws: what cannot be used is among `others`. */
  read(body: unknown): PlatformLead;
};

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Text of a string or of a number; null for all else, and for an empty one. */
export function textOf(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  return String(value).trim() || null;
}
