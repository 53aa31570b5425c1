import { quoted } from '../pages/reference/curl.ts';

/** Lines for a POSIX shell that set what an example reads of its environment, then run it. */
export function runLines(environment: Readonly<Record<string, string>>, run: string): string {
  const lines = Object.entries(environment).map(
    ([name, value]) => `export ${name}=${quoted(value)}`,
  );
  return [...lines, run].join('\n');
}

const CAMPAIGN = /(campaign_id["']?\s*(?:=>|:)\s*)1\b/;

/** An example's code with the account's own campaign in the place of the first. */
export const withCampaign = (code: string, campaign: number): string =>
  code.replace(CAMPAIGN, (_, before: string) => before + campaign);
