/** Prints the result: one line of JSON with --json, else sentences for a person. */
export function print(options: { json?: boolean }, result: object, sentences: string): void {
  process.stdout.write(options.json ? `${JSON.stringify(result)}\n` : `${sentences}\n`);
}

/** For links: a command does not know how a service beside it was started. */
export const WHERE_LINKS_LEAD =
  'Its address is LEADWIRE_PUBLIC_URL, else made of HOST and PORT: give this command the same as the service.';
