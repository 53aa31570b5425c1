type Request = {
  method: string;
  /** With {name} for parameters. */
  path: string;
  origin: string;
  parameters: readonly { name: string; in: string; required?: boolean; example?: unknown }[];
  /** Undefined: none. */
  body: unknown;
};

/** A request as a line for a shell, with the key in a variable. */
export function curlOf({ method, path, origin, parameters, body }: Request): string {
  const filled = path.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const { example } = parameters.find((one) => one.in === 'path' && one.name === name) ?? {};
    return example === undefined ? placeholder : encodeURIComponent(String(example));
  });
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(origin + filled)}`];
  lines.push('-H "Authorization: Bearer $LEADWIRE_KEY"');
  if (body !== undefined) lines.push(`-d ${quoted(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}

/** One word of a POSIX shell, whatever the text holds. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
