import { readFile, writeFile } from 'node:fs/promises';
import * as contract from '@leadwire/contract';
import { compile, type JSONSchema } from 'json-schema-to-typescript';

const FILE = new URL('src/types.generated.ts', import.meta.url);

const BANNER = `/*
 * Written by \`npm run docs\` from the schemas of packages/contract. Change those, not this file.
 */
// biome-ignore-all format: as the generator prints it`;

/** The schemas whose types the SDK shows, by the name of the type. A schema that stands in another one becomes a reference to it. */
const SCHEMAS: Record<string, object> = {
  ...pick(
    ['LeadInput', 'LeadPatch', 'Lead', 'LeadPreview', 'InsertAnswer', 'ValidationAnswer'],
    ['BatchAnswer', 'LeadListQuery', 'LeadListAnswer', 'LeadAnswer', 'PatchAnswer'],
    ['AuditRecord', 'HistoryQuery', 'HistoryAnswer', 'ReconcileInput', 'ReconcileAnswer'],
    ['WebhookInput', 'WebhookPatch', 'Webhook', 'CreatedWebhook', 'RotatedWebhook'],
    ['DeletedWebhook', 'WebhookListQuery', 'WebhookListAnswer', 'Delivery', 'DeliveryAttempt'],
    ['DeliveryDetail', 'DeliveryListQuery', 'DeliveryListAnswer', 'ReplayInput', 'Replay'],
    ['ReplayListQuery', 'ReplayListAnswer', 'TestEventInput', 'TestEventAnswer', 'Campaign'],
    ['EventFeedQuery', 'EventFeedAnswer', 'ErrorAnswer'],
  ),
  LeadCreatedEvent: contract.EVENTS['lead.created'],
  LeadUpdatedEvent: contract.EVENTS['lead.updated'],
  LeadConvertedEvent: contract.EVENTS['lead.converted'],
  CampaignStartedEvent: contract.EVENTS['campaign.started'],
  CampaignPausedEvent: contract.EVENTS['campaign.paused'],
};

/** Lists of values that have a name wherever they stand. */
const ENUMS: Record<string, readonly string[]> = {
  EventType: contract.EVENT_TYPES,
  LeadStatus: contract.LEAD_STATUSES,
};

/** The text of src/types.generated.ts as it must be for the schemas of today. */
export async function sdkTypes(): Promise<string> {
  const names = new Map(
    Object.entries(SCHEMAS).map(([name, schema]) => [JSON.stringify(plain(schema)), name]),
  );
  const shown = Object.entries(SCHEMAS).map(([name, schema]) => [
    name,
    { ...membersWithNames(plain(schema), names), title: name },
  ]);
  const enums = Object.entries(ENUMS).map(([name, values]) => [
    name,
    { title: name, type: 'string', enum: values },
  ]);
  const definitions = Object.fromEntries([...shown, ...enums]);
  const properties = Object.fromEntries(
    Object.keys(definitions).map((name) => [name, { $ref: `#/definitions/${name}` }]),
  );
  const root: JSONSchema = { title: 'Schemas', type: 'object', properties, definitions };
  return compile(root, 'Schemas', {
    additionalProperties: false,
    bannerComment: BANNER,
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 100 },
  });
}

/** Whether src/types.generated.ts is what the schemas of today make. */
export async function areTypesFresh(): Promise<boolean> {
  return (await readFile(FILE, 'utf8').catch(() => '')) === (await sdkTypes());
}

function pick(...groups: (keyof typeof contract)[][]): Record<string, object> {
  const all: Record<string, unknown> = { ...contract };
  return Object.fromEntries(groups.flat().map((name) => [name, all[name] as object]));
}

/** A schema as JSON; examples would only repeat in types what the reference shows. */
const plain = (schema: object): object =>
  JSON.parse(JSON.stringify(schema, (key, value) => (key === 'examples' ? undefined : value)));

const membersWithNames = (schema: object, names: Map<string, string>): object =>
  Object.fromEntries(
    Object.entries(schema).map(([key, inner]) => [key, withNames(inner, names)] as const),
  );

/** A reference instead of a schema that has a name. */
function withNames(value: unknown, names: Map<string, string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const name = names.get(JSON.stringify(value));
  if (name) return { $ref: `#/definitions/${name}` };
  if (Array.isArray(value)) return value.map((element) => withNames(element, names));
  const tsType = enumName(value);
  return tsType ? { ...value, tsType } : membersWithNames(value, names);
}

function enumName(schema: { enum?: unknown }): string | undefined {
  const text = JSON.stringify(schema.enum);
  return Object.keys(ENUMS).find((name) => JSON.stringify(ENUMS[name]) === text);
}

if (import.meta.main && process.argv[2] === '--write') await writeFile(FILE, await sdkTypes());
