import { AppError, conflict, type FieldError, invalid } from '../../platform/errors/index.ts';
import type { SeenLead } from './repository/shown.ts';
import { toShownLead } from './shown.ts';

export const unknownCampaign = () =>
  invalid([
    {
      path: 'campaign_id',
      code: 'unknown_campaign',
      message: 'campaign_id must be a campaign of this account',
    },
  ]);

export const CONTACT_REQUIRED: FieldError = {
  path: 'phone',
  code: 'required',
  message: 'phone or email is required',
};

export const contactRequired = () => invalid([CONTACT_REQUIRED]);

export const changedMeanwhile = () =>
  conflict('The lead was changed by someone else meanwhile. Read it again, merge, and try again.');

export const etagMismatch = (etag: string) =>
  new AppError({
    status: 409,
    code: 'conflict',
    message: `If-Match is not the lead's current ETag, ${etag}. Read it again, merge, and try again.`,
    headers: { etag },
  });

/** The lead was changed since it was read: `details.lead` is the lead as it is now, so that both can be shown. */
export const conflictWith = (now: SeenLead) =>
  new AppError({
    status: 409,
    code: 'conflict',
    message: 'The lead was changed by someone else meanwhile. Look at it again, and try again.',
    details: { lead: toShownLead(now) },
  });

export const searchTooSlow = () =>
  new AppError({
    status: 503,
    code: 'search_too_slow',
    message: 'The search took too long. Narrow it by campaign, status or time, and search again.',
  });

export const badCursor = () =>
  invalid([
    { path: 'cursor', code: 'format', message: 'cursor must be the cursor of an earlier page' },
  ]);
