/** Prints the result: one line of JSON with --json, else sentences for a person. */
export function print(options: { json?: boolean }, result: object, sentences: string): void {
  process.stdout.write(options.json ? `${JSON.stringify(result)}\n` : `${sentences}\n`);
}
