import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { stringify } from 'csv-stringify/sync';
import { sentenceOf } from '../../modules/intake/index.ts';
import { ConfigError } from '../../platform/config/index.ts';
import { defuse } from '../../platform/formulas/index.ts';
import { checkReplaceable } from '../output-file.ts';
import type { Compared } from './compare.ts';

export type Output = {
  add(compared: Compared[]): Promise<void>;
  /** Puts the file where it was asked for: there it is whole, or not at all. */
  end(): Promise<void>;
  /** Removes what was written; nothing after `end`. */
  drop(): Promise<void>;
};

const COLUMNS = ['line', 'result', 'campaign_id', 'external_lead_id', 'lead_id', 'errors'];
/** Spreadsheets take a text for UTF-8 only where it begins with it. */
const BYTE_ORDER_MARK = '\uFEFF';

const NONE: Output = { add: async () => {}, end: async () => {}, drop: async () => {} };

/**
 * A CSV file of the rows that do not agree, its owner's alone: external ids may say who a person is. @param path absent: no file
 * @throws ConfigError where it cannot be written
 */
export async function openOutput(path: string | undefined): Promise<Output> {
  if (path === undefined) return NONE;
  await checkReplaceable(path);
  const part = `${path}.${randomBytes(4).toString('hex')}.part`;
  const orSentence = (error: NodeJS.ErrnoException): never => {
    throw new ConfigError(`${path} cannot be written (${error.code}). Give another --output.`);
  };
  const handle: FileHandle = await open(part, 'wx', 0o600).catch(orSentence);
  let isOpen = true;
  const close = async () => {
    if (isOpen) await handle.close();
    isOpen = false;
  };
  await handle.writeFile(BYTE_ORDER_MARK + csv([COLUMNS])).catch(orSentence);
  return {
    async add(compared) {
      const rows = compared.filter(({ result }) => result !== 'agrees').map(cellsOf);
      if (rows.length > 0) await handle.writeFile(csv(rows)).catch(orSentence);
    },
    async end() {
      await handle.sync().catch(orSentence);
      await close();
      await rename(part, path).catch(orSentence);
    },
    async drop() {
      await close();
      await rm(part, { force: true });
    },
  };
}

const cellsOf = ({ line, result, campaignId, externalLeadId, leadId, errors }: Compared) => [
  ...[String(line), result, campaignId === null ? '' : String(campaignId)],
  ...[defuse(externalLeadId ?? ''), leadId ?? '', defuse(errors.map(sentenceOf).join('; '))],
];

const csv = (rows: string[][]): string => stringify(rows, { record_delimiter: '\r\n' });
