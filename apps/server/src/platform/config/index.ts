/** One setting of the environment. `parse` throws a sentence that says what would be right. */
export type Setting<T> = {
  name: string;
  /** The default as a person reads it; undefined where the setting has none. */
  default?: string;
  doc: string;
  parse: (text: string) => T;
};

export class ConfigError extends Error {}

type Settings = Record<string, Setting<unknown>>;
type Values<S extends Settings> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T | undefined : never;
};

/**
 * Reads every setting once and freezes the result. An empty variable counts as absent.
 * @throws ConfigError that names every bad setting.
 */
export function readSettings<S extends Settings>(
  settings: S,
  env: Record<string, string | undefined>,
): Values<S> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(settings)) {
    const text = env[setting.name] || setting.default;
    if (text === undefined) continue;
    try {
      values[key] = setting.parse(text);
    } catch (error) {
      problems.push(`${setting.name}: ${(error as Error).message}`);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return Object.freeze(values) as Values<S>;
}

export const text = (value: string): string => value;

export const oneOf =
  <T extends string>(...values: T[]) =>
  (value: string): T => {
    if (!values.includes(value as T)) throw new Error(`must be one of ${values.join(', ')}`);
    return value as T;
  };

export const integer =
  (min: number, max: number) =>
  (value: string): number => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max) {
      throw new Error(`must be a whole number from ${min} to ${max}`);
    }
    return number;
  };

export const onOff = (value: string): boolean => {
  if (/^(1|true|on|yes)$/i.test(value)) return true;
  if (/^(0|false|off|no)$/i.test(value)) return false;
  throw new Error('must be on or off');
};

/** Variables that look like settings but are none: most likely typing errors. */
export function unknownSettings(
  settings: Settings,
  env: Record<string, string | undefined>,
): string[] {
  const known = new Set(Object.values(settings).map((setting) => setting.name));
  return Object.keys(env).filter((name) => name.startsWith('LEADWIRE_') && !known.has(name));
}
