import type { ImportSettings } from '@leadwire/contract/dashboard';
import { Box } from '@mantine/core';
import { useApi } from '../../api/index.ts';
import { type Column, countryName, DataTable, Facts, None, Section } from '../../parts/index.ts';
import classes from './imports.module.css';
import { PreviewTable } from './PreviewTable.tsx';
import type { ImportProps } from './params.ts';
import { targetText } from './targets.ts';
import { useCampaigns } from './useCampaigns.ts';
import { DATE_ORDERS, ENCODINGS, isAhead, SEPARATORS } from './words.ts';

/** How the file is or was read, where nothing of it may be changed. */
export function SettingsShown({ found, params }: ImportProps) {
  const isKept = found.file_kept_until !== null || found.finished_at === null;
  const { data: preview } = useApi('previewImport', { params }, { enabled: isKept });
  const { labelOf } = useCampaigns(params.account);
  const { settings } = found;
  if (!settings) return null;
  const rows = settings.columns.map((target, index) => ({
    index,
    header: preview?.columns[index] || `Column ${index + 1}`,
    target,
  }));
  return (
    <Section title="How the file is read">
      <Box mb="md">
        <Facts facts={factsOf(settings, labelOf)} />
      </Box>
      <DataTable
        label="Columns of the file and where they go"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ index }) => String(index)}
      />
      {preview && isAhead(found) && (
        <Box mt="md">
          <PreviewTable preview={preview} isStale={false} />
        </Box>
      )}
    </Section>
  );
}

const factsOf = (settings: ImportSettings, labelOf: (campaign: number) => string) => [
  [
    'Campaign',
    settings.campaign_id === null ? (
      <None key="none">Not chosen yet</None>
    ) : (
      labelOf(settings.campaign_id)
    ),
  ] as const,
  ['Source', settings.source ?? <None key="none">Not chosen yet</None>] as const,
  ['Encoding', ENCODINGS[settings.encoding]] as const,
  ['Separator', SEPARATORS[settings.separator]] as const,
  ...(settings.default_country
    ? [['Country of phone numbers', countryName(settings.default_country)] as const]
    : []),
  ...(settings.columns.includes('tcpa_consent_timestamp')
    ? [
        ['Times', DATE_ORDERS[settings.date_order]] as const,
        ['Time zone', settings.time_zone ?? 'As each time says'] as const,
      ]
    : []),
];

const Any = ({ text }: { text: string }) => <span className={classes.any}>{text}</span>;

type Row = { index: number; header: string; target: string | null };

const COLUMNS: Column<Row>[] = [
  { key: 'column', header: 'Column', isName: true, cell: ({ header }) => <Any text={header} /> },
  { key: 'target', header: 'Goes to', cell: ({ target }) => <Any text={targetText(target)} /> },
];
