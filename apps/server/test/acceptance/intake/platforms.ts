import type { Json } from '../../support/index.ts';

type Lead = {
  key?: unknown;
  id?: unknown;
  /** What the person said; null: nothing at all. */
  said?: { email?: string; phone?: string; question?: [name: string, answer: string] } | null;
  isTest?: boolean;
  /** Members that no version of the platform had yet. */
  extra?: Record<string, unknown>;
};

/** A platform as the conformance suite needs it. */
export type Platform = {
  /** Last part of the address of a form. */
  name: string;
  /** Last part of the dashboard's route that makes its key, and the member of the answer that holds it. */
  keyRoute: string;
  keyMember: string;
  source: string;
  /** A request as the platform sends it, as text: numbers may have more digits than JavaScript's. */
  body(lead: Lead): string;
  /** A number of 64 bits beside the id, written as a number, and where the lead has it. */
  int64: { member: string; digits: string };
};

const google: Platform = {
  ...{ name: 'google', keyRoute: 'google-key', keyMember: 'google_key', source: 'google_ads' },
  int64: { member: 'campaign_id', digits: '9223372036854775807' },
  body({ key, id = 'TeSter-123', said = { email: 'test@example.com' }, isTest, extra = {} }) {
    const columns: Json[] = [];
    if (said?.email) columns.push({ column_id: 'EMAIL', string_value: said.email });
    if (said?.phone) columns.push({ column_id: 'PHONE_NUMBER', string_value: said.phone });
    if (said?.question) {
      const [column_name, string_value] = said.question;
      columns.push({ column_name, string_value });
    }
    const lead = {
      ...{ user_column_data: columns, api_version: '1.0', form_id: 40000000000 },
      ...{ google_key: key, is_test: isTest, gcl_id: 'TeSter-GCLID', adgroup_id: 20000000000 },
      ...extra,
    };
    const ids = `"lead_id":${typeof id === 'bigint' ? id : JSON.stringify(id)},"campaign_id":9223372036854775807`;
    return `{${ids},${JSON.stringify(lead).slice(1)}`;
  },
};

/** Every platform that the service takes leads of. */
export const PLATFORMS: readonly Platform[] = [google];
