import { AppError, conflict, type FieldError, invalid } from '../../platform/errors/index.ts';

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
