import {
  Address,
  LEAD_FIELDS,
  type LeadField,
  LeadInput,
  LeadPatch,
  LIMITS,
} from '@leadwire/contract';
import { normalizeTimestamp } from '../../platform/clock/index.ts';
import { emptyBody, type FieldError, invalid } from '../../platform/errors/index.ts';
import {
  createValidator,
  isStorable,
  NOT_STORABLE,
  normalizePhone,
  type Validate,
} from '../../platform/validation/index.ts';
import { CONTACT_REQUIRED } from './errors.ts';
import type { LeadChange } from './lead.ts';

const UNKNOWN = 'is not a known field; put it into custom_fields';
const TUPLE = new Set(['campaign_id', 'external_lead_id']);

const validateInput = createValidator(LeadInput, UNKNOWN);
const validatePatch = createValidator(LeadPatch, UNKNOWN);

/** Checks the body of a POST or a row of a batch. @throws AppError 400 with the summary of what is wrong. */
export function readLeadInput(body: unknown): LeadInput {
  return read(body, validateInput) as LeadInput;
}

/** Checks the body of a PATCH. @throws AppError 400: `empty_body` for {}, else the summary of what is wrong. */
export function readLeadPatch(body: unknown): LeadChange {
  if (isObject(body)) {
    const names = Object.keys(body);
    if (names.length === 0) throw emptyBody();
    const fixed = names.filter((name) => TUPLE.has(name));
    if (fixed.length > 0) {
      throw invalid(
        fixed.map((path) => ({ path, code: 'fixed', message: `${path} cannot be changed` })),
      );
    }
  }
  return read(body, validatePatch);
}

/** What must hold of every stored lead, whatever it was made of. */
export function checkStored(lead: {
  phone?: string | null;
  email?: string | null;
  custom_fields?: unknown;
}): FieldError[] {
  const errors: FieldError[] = [];
  if ((lead.phone ?? null) === null && (lead.email ?? null) === null) {
    errors.push(CONTACT_REQUIRED);
  }
  if (customFieldsBytes(lead.custom_fields) > LIMITS.customFieldsBytes) {
    errors.push(customFields('too_long', 'must be at most 64 KiB as JSON'));
  }
  return errors;
}

function read(body: unknown, validate: Validate): LeadChange {
  const errors = validate(body);
  if (!isObject(body)) throw invalid(errors);
  errors.push(...checkText(body), ...checkCustomFields(body.custom_fields));
  if (errors.length > 0) throw invalid(inFieldOrder(errors));
  return normalize(body as LeadChange);
}

/** One failure a field, in the order of the fields; what is no field comes last. */
function inFieldOrder(errors: FieldError[]): FieldError[] {
  const first = new Map<string, FieldError>();
  for (const error of errors) if (!first.has(error.path)) first.set(error.path, error);
  const place = ({ path }: FieldError) => {
    const index = LEAD_FIELDS.indexOf(path.split('.', 1)[0] as LeadField);
    return index < 0 ? LEAD_FIELDS.length : index;
  };
  return [...first.values()].sort((a, b) => place(a) - place(b));
}

function checkText(body: Record<string, unknown>): FieldError[] {
  const errors: FieldError[] = [];
  const check = (path: string, value: unknown) => {
    if (typeof value !== 'string' || isStorable(value)) return;
    errors.push({ path, code: 'invalid_characters', message: `${path} ${NOT_STORABLE}` });
  };
  for (const name of Object.keys(LeadInput.properties)) check(name, body[name]);
  const { address } = body;
  if (isObject(address)) {
    for (const name of Object.keys(Address.properties)) check(`address.${name}`, address[name]);
  }
  return errors;
}

function checkCustomFields(value: unknown): FieldError[] {
  if (!isObject(value)) return [];
  const problem = findProblem(value, 1);
  if (problem === 'depth') {
    const text = `must be at most ${LIMITS.customFieldsDepth} levels deep`;
    return [customFields('too_deep', text)];
  }
  if (problem === 'text') return [customFields('invalid_characters', NOT_STORABLE)];
  return customFieldsBytes(value) > LIMITS.customFieldsBytes
    ? [customFields('too_long', 'must be at most 64 KiB as JSON')]
    : [];
}

function findProblem(value: unknown, depth: number): 'depth' | 'text' | null {
  if (typeof value === 'string') return isStorable(value) ? null : 'text';
  if (typeof value !== 'object' || value === null) return null;
  if (depth > LIMITS.customFieldsDepth) return 'depth';
  const isArray = Array.isArray(value);
  for (const key of Object.keys(value)) {
    if (!isArray && !isStorable(key)) return 'text';
    const problem = findProblem((value as Record<string, unknown>)[key], depth + 1);
    if (problem) return problem;
  }
  return null;
}

const customFields = (code: string, text: string): FieldError => ({
  path: 'custom_fields',
  code,
  message: `custom_fields ${text}`,
});

function customFieldsBytes(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}

function normalize(input: LeadChange): LeadChange {
  const change: LeadChange = { ...input };
  if (input.phone) change.phone = normalizePhone(input.phone);
  if (input.tcpa_consent_timestamp) {
    change.tcpa_consent_timestamp = normalizeTimestamp(input.tcpa_consent_timestamp);
  }
  return change;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
