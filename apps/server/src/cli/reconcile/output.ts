import { stringify } from 'csv-stringify/sync';
import { sentenceOf } from '../../modules/intake/index.ts';
import { defuse } from '../../platform/formulas/index.ts';
import { openOutputFile, unwritable } from '../output-file.ts';
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
  const file = await openOutputFile(path);
  const write = (text: string) =>
    file.handle.writeFile(text).catch((error) => {
      throw unwritable(path, error);
    });
  await write(BYTE_ORDER_MARK + csv([COLUMNS])).catch(async (error) => {
    await file.drop();
    throw error;
  });
  return {
    async add(compared) {
      const rows = compared.filter(({ result }) => result !== 'agrees').map(cellsOf);
      if (rows.length > 0) await write(csv(rows));
    },
    end: file.place,
    drop: file.drop,
  };
}

const cellsOf = ({ line, result, campaignId, externalLeadId, leadId, errors }: Compared) => [
  ...[String(line), result, campaignId === null ? '' : String(campaignId)],
  ...[defuse(externalLeadId ?? ''), leadId ?? '', defuse(errors.map(sentenceOf).join('; '))],
];

const csv = (rows: string[][]): string => stringify(rows, { record_delimiter: '\r\n' });
