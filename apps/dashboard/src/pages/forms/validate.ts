import { FORM_LIMITS } from '@leadwire/contract/dashboard';
import { type ApiError, fieldErrors } from '../../api/index.ts';
import { CUSTOM, type FieldValues, type FormValues, targetOf } from './form-values.ts';

type Errors = Record<string, string>;

/** What is wrong with a form before it is sent, by the path of the input. */
export function validate(values: FormValues): Errors {
  const errors: Errors = {};
  const check = (path: string, isWrong: boolean, message: string) => {
    if (isWrong) errors[path] ??= message;
  };
  check('name', !values.name.trim(), 'Enter a name.');
  check('campaign_id', !values.campaign_id, 'Choose a campaign.');
  check('key_id', !values.key_id, 'Choose a key.');
  values.fields.forEach((field, index) => {
    checkField(field, values.fields.slice(0, index), (name, isWrong, message) =>
      check(`fields.${index}.${name}`, isWrong, message),
    );
  });
  check('fields', !values.fields.some(reaches), 'One field has to go to Email or Phone.');
  check('consent.text', values.asksConsent && !values.consent.text.trim(), 'Enter the words.');
  check(
    'min_fill_seconds',
    isOutside(values.min_fill_seconds, FORM_LIMITS.minFillSeconds),
    `Enter 0 to ${FORM_LIMITS.minFillSeconds}.`,
  );
  check(
    'per_address_a_minute',
    isOutside(values.per_address_a_minute, FORM_LIMITS.perAddressAMinute),
    `Enter 0 to ${FORM_LIMITS.perAddressAMinute.toLocaleString('en-US')}.`,
  );
  return errors;
}

/** A lead has to have one of them at least. */
const reaches = ({ target }: FieldValues): boolean => target === 'email' || target === 'phone';

const isOutside = (value: number | string, most: number): boolean =>
  value === '' || !(Number(value) >= 0 && Number(value) <= most);

function checkField(
  field: FieldValues,
  earlier: readonly FieldValues[],
  check: (name: keyof FieldValues, isWrong: boolean, message: string) => void,
): void {
  const name = field.name.trim();
  check('label', !field.label.trim(), 'Enter a label.');
  check('name', !name, 'Enter a name.');
  check('name', name.startsWith('_'), 'Not with _ at its beginning.');
  check(
    'name',
    earlier.some((other) => other.name.trim() === name),
    'Another field has this name.',
  );
  check(
    field.target === CUSTOM ? 'custom' : 'target',
    earlier.some((other) => targetOf(other) === targetOf(field)),
    'Another field goes there.',
  );
}

/** What the service refused, by the path of the input that shows it. */
export function refusalsOf(error: ApiError, values: FormValues): Errors {
  const errors: Errors = {};
  for (const [path, message] of Object.entries(fieldErrors(error))) {
    errors[inputOf(path, values)] ??= message;
  }
  return errors;
}

function inputOf(path: string, values: FormValues): string {
  if (path.startsWith('allowed_origins')) return 'allowed_origins';
  if (path === 'consent') return 'consent.text';
  const index = /^fields\.(\d+)\.to$/.exec(path)?.[1];
  if (index === undefined) return path;
  const isCustom = values.fields[Number(index)]?.target === CUSTOM;
  return `fields.${index}.${isCustom ? 'custom' : 'target'}`;
}

/** Settings that stand folded away until they are wanted. */
export const FURTHER: readonly (keyof FormValues)[] = [
  'redirect_url',
  'allowed_origins',
  'source',
  'min_fill_seconds',
  'per_address_a_minute',
];
