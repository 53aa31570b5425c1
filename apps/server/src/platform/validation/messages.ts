import type { ErrorObject } from 'ajv';
import type { FieldError } from '../errors/index.ts';
import { FORMATS } from './formats.ts';

type SchemaNode = {
  type?: string | string[];
  minimum?: number;
  maximum?: number;
  enum?: unknown[];
};

/** One failed keyword of a schema as a sentence about the field. */
export function describeFailure(failure: ErrorObject): FieldError {
  const at = failure.instancePath.slice(1).replaceAll('/', '.');
  if (failure.keyword === 'required') {
    const missing = String(failure.params.missingProperty);
    const path = at ? `${at}.${missing}` : missing;
    return { path, code: 'required', message: `${path} is required` };
  }
  const [code, constraint] = constraintOf(failure, failure.parentSchema as SchemaNode);
  return { path: at, code, message: `${at || 'the body'} ${constraint}` };
}

function constraintOf(failure: ErrorObject, schema: SchemaNode): [code: string, text: string] {
  switch (failure.keyword) {
    case 'type':
      return ['type', `must be ${typeText(schema)}`];
    case 'minimum':
    case 'maximum':
      return ['range', `must be ${typeText(schema)}`];
    case 'minLength':
      return ['empty', 'must not be empty'];
    case 'maxLength':
      return ['too_long', `must be at most ${failure.params.limit} characters`];
    case 'enum':
      return ['enum', `must be ${schema.enum?.join(' or ')}`];
    case 'format': {
      const format = String(failure.params.format);
      return ['format', FORMATS[format]?.message ?? `must be a valid ${format}`];
    }
    case 'minItems':
      return ['too_few', `must have at least ${entries(failure.params.limit)}`];
    case 'maxItems':
      return ['too_many', `must have at most ${entries(failure.params.limit)}`];
    case 'uniqueItems':
      return ['repeated', 'must not have an entry twice'];
    default:
      return [failure.keyword, 'is not valid'];
  }
}

const entries = (count: number): string => (count === 1 ? 'one entry' : `${count} entries`);

function typeText(schema: SchemaNode): string {
  const types = [schema.type ?? []].flat();
  return types.map((type) => nameOf(type, schema)).join(' or ');
}

function nameOf(type: string, { minimum, maximum }: SchemaNode): string {
  if (type === 'integer') {
    if (minimum === undefined) return 'an integer';
    const to = maximum === undefined ? 'on' : `to ${maximum}`;
    return `an integer from ${minimum} ${to}`;
  }
  if (type === 'boolean') return 'true or false';
  if (type === 'null') return 'null';
  return type === 'string' ? 'a string' : `an ${type}`;
}
