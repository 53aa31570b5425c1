import { invalid } from '../errors/index.ts';
import { createValidator } from './index.ts';

type QuerySchema = { properties: Record<string, { type?: unknown; default?: unknown }> };

/**
 * Makes a reader of query strings: numbers become numbers, defaults are filled in, anything unknown, repeated or out of
 * range is refused. @throws AppError 400 with the summary of what is wrong.
 */
export function createQueryReader<T>(schema: object): (query: unknown) => T {
  const validate = createValidator(schema, 'is not a known parameter');
  const properties = Object.entries((schema as QuerySchema).properties);
  return (query) => {
    const values: Record<string, unknown> = { ...(query as object) };
    for (const [name, property] of properties) {
      const value = values[name];
      if (value === undefined && property.default !== undefined) values[name] = property.default;
      else if (property.type === 'integer' && isWholeNumber(value)) values[name] = Number(value);
    }
    const errors = validate(values);
    if (errors.length > 0) throw invalid(errors);
    return values as T;
  };
}

const isWholeNumber = (value: unknown): boolean =>
  typeof value === 'string' && /^-?\d{1,15}$/.test(value);
