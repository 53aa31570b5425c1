/** The inputs that every form has beside its fields. Other names that begin with `_` are kept like any unknown input. */
export const OWN = {
  /** 8 to 64 of [A-Za-z0-9_-], new for each form that is shown: the same submission again is deduped by it. */
  submissionId: '_submission_id',
  /** Milliseconds from the form being shown until it was sent; without JavaScript there is none. */
  elapsedMs: '_elapsed_ms',
  /** The honeypot: people do not see it. */
  website: '_website',
  consent: '_consent',
  /** The version of the text beside the box. */
  consentVersion: '_consent_version',
  pageUrl: '_page_url',
} as const;

const NAMES: ReadonlySet<string> = new Set(Object.values(OWN));

export const isOwn = (name: string): boolean => NAMES.has(name);
