import { LIMITS, ReconcileInput, ReconcileRow } from '@leadwire/contract';
import Type from 'typebox';
import { type FieldError, invalid } from '../../platform/errors/index.ts';
import { createValidator, isStorable, NOT_STORABLE } from '../../platform/validation/index.ts';

// Rows are looked at one by one, up to as many failures as somebody reads.
const MAX_ERRORS = 20;

const { minItems, maxItems } = { minItems: 1, maxItems: LIMITS.batchLeads };
const validateBody = createValidator(
  Type.Object(
    { ...ReconcileInput.properties, leads: Type.Array(Type.Unknown(), { minItems, maxItems }) },
    { additionalProperties: false },
  ),
);
const validateRow = createValidator(ReconcileRow);

/** Checks the body of a reconciliation. @throws AppError 400 that names at most the first twenty failures */
export function readReconcileInput(body: unknown): ReconcileInput {
  const errors = validateBody(body);
  // Of too many rows, or none, it says that alone.
  if (errors.length > 0) throw invalid(errors);
  const { leads } = body as { leads: unknown[] };
  for (const [index, row] of leads.entries()) {
    errors.push(...errorsOfRow(row).map((error) => below(`leads.${index}`, error)));
    if (errors.length >= MAX_ERRORS) throw invalid(errors.slice(0, MAX_ERRORS));
  }
  if (errors.length > 0) throw invalid(errors);
  return body as ReconcileInput;
}

function errorsOfRow(row: unknown): FieldError[] {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) {
    return [{ path: '', code: 'type', message: ' must be an object' }];
  }
  const { external_lead_id: id } = row as { external_lead_id?: unknown };
  const errors = validateRow(row);
  if (errors.length > 0 || typeof id !== 'string' || isStorable(id)) return errors;
  const path = 'external_lead_id';
  return [{ path, code: 'invalid_characters', message: `${path} ${NOT_STORABLE}` }];
}

const below = (row: string, { path, code, message }: FieldError): FieldError =>
  path === ''
    ? { path: row, code, message: `${row} ${message.trim()}` }
    : { path: `${row}.${path}`, code, message: `${row}.${message}` };
