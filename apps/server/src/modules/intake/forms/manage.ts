import { hash } from 'node:crypto';
import type { Form } from '@leadwire/contract/dashboard';
import { type Clock, formatMicros } from '../../../platform/clock/index.ts';
import { type Database, timestampToIso } from '../../../platform/database/index.ts';
import { type FieldError, invalid, notFound } from '../../../platform/errors/index.ts';
import { fromPublicId, toPublicId } from '../../../platform/ids/index.ts';
import type { ApiKeys } from '../../api-keys/index.ts';
import type { Campaigns } from '../../campaigns/index.ts';
import { formLimitReached } from './errors.ts';
import * as repository from './repository/managed.ts';
import { DEFAULT_FIELDS, type FormChange, fieldError, type NewForm, readForm } from './validate.ts';

/** How many forms an account may have. */
const MAX_FORMS = 500;
// 43 characters of base64url: Google takes at most 50.
const GOOGLE_KEY_BYTES = 32;

export type ManageDeps = {
  database: Database;
  clock: Clock;
  newId: () => string;
  randomBytes: (size: number) => Buffer;
  campaigns: Pick<Campaigns, 'exists'>;
  apiKeys: Pick<ApiKeys, 'list'>;
  /** Where pages reach this service, without a slash at the end. */
  publicUrl: string;
};

type Settings = repository.FormSettings;

/** A key of a platform is 256 random bits: there is nothing to guess that a slow hash would slow down. */
export const hashPlatformKey = (key: string): Buffer => hash('sha256', key, 'buffer');

/** The forms of an account, by their public ids. What is sent to a form sees a change within a second, on every node. */
export function createManage(deps: ManageDeps) {
  const { database, clock, newId } = deps;
  const now = () => formatMicros(clock.nowMicros());

  async function shown(accountId: string, id: string): Promise<Form> {
    const row = await repository.find(database.query, { accountId, id });
    if (!row) throw notFound();
    return toForm(row, { at: now(), publicUrl: deps.publicUrl });
  }

  /** @throws AppError 400 for a campaign or a key that the account does not have, and for a key that no form can use */
  async function checkReferences(
    accountId: string,
    { campaign_id, key_id }: Pick<FormChange, 'campaign_id' | 'key_id'>,
  ): Promise<void> {
    const errors: FieldError[] = [];
    if (campaign_id !== undefined && !(await deps.campaigns.exists(accountId, campaign_id))) {
      const text = 'must be a campaign of this account';
      errors.push(fieldError('campaign_id', 'unknown_campaign', text));
    }
    if (key_id !== undefined) errors.push(...(await checkKey(accountId, key_id)));
    if (errors.length > 0) throw invalid(errors);
  }

  async function checkKey(accountId: string, keyId: string): Promise<FieldError[]> {
    const keys = await deps.apiKeys.list(accountId);
    const key = keys.find(({ id }) => id === keyId.toLowerCase());
    const problem = !key
      ? 'must be a key of this account'
      : key.state !== 'active'
        ? `must be a key that works; this one is ${key.state}`
        : key.scopes.includes('leads:write')
          ? null
          : 'must be a key with the scope leads:write';
    return problem === null ? [] : [fieldError('key_id', 'unusable_key', problem)];
  }

  return {
    /** Newest first. */
    async list(accountId: string): Promise<Form[]> {
      const rows = await repository.list(database, accountId);
      const at = now();
      return rows.map((row) => toForm(row, { at, publicUrl: deps.publicUrl }));
    },

    /** The names of an account's forms by their public ids; unknown ones are missing. */
    async namesOf(accountId: string, publicIds: string[]): Promise<Map<string, string>> {
      const ids = publicIds.flatMap((publicId) => fromPublicId('form', publicId) ?? []);
      const rows = ids.length > 0 ? await repository.findNames(database, accountId, ids) : [];
      return new Map(rows.map(({ id, name }) => [toPublicId('form', id), name]));
    },

    /** @throws AppError 404 where the account has no such form */
    get: async (accountId: string, publicId: string): Promise<Form> =>
      shown(accountId, idOf(publicId)),

    /** @throws AppError 400 with the summary of what is wrong; 409 where the account has as many as it may */
    async create(accountId: string, input: NewForm): Promise<Form> {
      const body = readForm(input);
      await checkReferences(accountId, body);
      const [id, at] = [newId(), now()];
      const form = changed(DEFAULTS, body, body.consent ? 1 : null);
      await database.transaction(async (query) => {
        const isNew = await repository.insert(query, { accountId, id, at, form, limit: MAX_FORMS });
        if (!isNew) throw formLimitReached(MAX_FORMS);
        if (!body.consent) return;
        const { text } = body.consent;
        await repository.insertText(query, { accountId, id, version: 1, text, at });
      });
      return shown(accountId, id);
    },

    /**
     * What is left out stays as it is. Another consent text than the newest one is a new version.
     * @throws AppError 400; 404 where the account has no such form
     */
    async change(accountId: string, publicId: string, change: FormChange): Promise<Form> {
      const id = idOf(publicId);
      await shown(accountId, id);
      const body = readForm(change);
      await checkReferences(accountId, body);
      const at = now();
      await database.transaction(async (query) => {
        const stored = await repository.lock(query, { accountId, id });
        if (!stored) throw notFound();
        const version = await versionOf(query, { accountId, id, at }, body.consent);
        const form = changed(stored, body, version ?? stored.consentVersion);
        await repository.update(query, { accountId, id, at, form });
      });
      return shown(accountId, id);
    },

    /** A new key for the platform, which is shown here and never again; an earlier one ends. @throws AppError 404 */
    async makeGoogleKey(accountId: string, publicId: string) {
      const id = idOf(publicId);
      const key = deps.randomBytes(GOOGLE_KEY_BYTES).toString('base64url');
      const change = { accountId, id, hash: hashPlatformKey(key), at: now() };
      if (!(await repository.setGoogleKey(database, change))) throw notFound();
      return { google_key: key, form: await shown(accountId, id) };
    },

    /** From now on what the platform sends is refused. @throws AppError 404 */
    async endGoogleKey(accountId: string, publicId: string): Promise<Form> {
      const id = idOf(publicId);
      const change = { accountId, id, hash: null, at: now() };
      if (!(await repository.setGoogleKey(database, change))) throw notFound();
      return shown(accountId, id);
    },
  };
}

/** The version of the text that a change asks for, added where it is new; undefined where the change says nothing of consent. */
async function versionOf(
  query: Database['query'],
  form: { accountId: string; id: string; at: string },
  consent: FormChange['consent'],
): Promise<number | undefined> {
  if (!consent) return undefined;
  const newest = await repository.findNewestText(query, form);
  if (newest?.text === consent.text) return newest.version;
  const version = (newest?.version ?? 0) + 1;
  await repository.insertText(query, { ...form, version, text: consent.text });
  return version;
}

const DEFAULTS: Omit<Settings, 'name' | 'campaignId' | 'keyId'> = {
  active: true,
  fields: DEFAULT_FIELDS,
  ...{ consentVersion: null, consentRequired: false, minFillSeconds: 2, allowedOrigins: [] },
  ...{ redirectUrl: null, source: null, defaultCountry: null, perAddressAMinute: 60 },
};

/** @param version of the consent text, where the change leaves the form one */
function changed(before: Partial<Settings>, change: FormChange, version: number | null): Settings {
  const { consent } = change;
  const given = {
    ...{ name: change.name, active: change.active, campaignId: change.campaign_id },
    ...{ keyId: change.key_id, fields: change.fields, minFillSeconds: change.min_fill_seconds },
    ...{ allowedOrigins: change.allowed_origins, redirectUrl: change.redirect_url },
    ...{ source: change.source, defaultCountry: change.default_country },
    perAddressAMinute: change.per_address_a_minute,
    consentVersion: consent === null ? null : version,
    consentRequired: consent === undefined ? undefined : (consent?.required ?? false),
  };
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...before, ...Object.fromEntries(said) } as Settings;
}

/** @throws AppError 404 for what is no id, as for one that is not there */
export function idOf(publicId: string): string {
  const id = fromPublicId('form', publicId);
  if (id === null) throw notFound();
  return id;
}

function toForm(
  row: repository.FormRow,
  { at, publicUrl }: { at: string; publicUrl: string },
): Form {
  const id = toPublicId('form', row.id);
  const { consentVersion: version, consentText: text, consentRequired: required } = row;
  const isExpired = row.keyExpiresAt !== null && timestampToIso(row.keyExpiresAt) <= at;
  const state = row.keyRevokedAt !== null ? 'revoked' : isExpired ? 'expired' : 'active';
  const url = `${publicUrl}/forms/${id}`;
  return {
    ...{ id, name: row.name, campaign_id: row.campaignId, active: row.active },
    key: { id: row.keyId, public_key: row.keyPublicKey, name: row.keyName, state },
    fields: row.fields,
    consent: version === null || text === null ? null : { version, text, required },
    min_fill_seconds: row.minFillSeconds,
    allowed_origins: row.allowedOrigins,
    redirect_url: row.redirectUrl,
    source: row.source,
    default_country: row.defaultCountry,
    per_address_a_minute: row.perAddressAMinute,
    google_key_made_at: row.googleKeyMadeAt === null ? null : timestampToIso(row.googleKeyMadeAt),
    ...{ url, google_url: `${url}/google` },
    created_at: timestampToIso(row.createdAt),
    updated_at: timestampToIso(row.updatedAt),
  };
}
