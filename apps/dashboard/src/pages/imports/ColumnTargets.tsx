import type { ImportPreview } from '@leadwire/contract/dashboard';
import { NativeSelect, Stack, Text } from '@mantine/core';
import { type Column, DataTable, None } from '../../parts/index.ts';
import classes from './imports.module.css';
import { SavedText } from './SavedText.tsx';
import { CHOICES, choiceOf, customName, samplesOf, targetOf, toCustom } from './targets.ts';
import type { SettingsForm } from './useSettings.ts';

type Props = {
  settings: SettingsForm;
  errors: Readonly<Record<string, string>>;
  preview: ImportPreview;
};

type Row = {
  index: number;
  header: string;
  samples: string[];
  target: string | null;
  error: string | undefined;
};

/** Each column of the file, a few of its values, and where they go. */
export function ColumnTargets({ settings, errors, preview }: Props) {
  const { values, change } = settings;
  const rows = preview.columns.map((header, index) => ({
    ...{ index, header, samples: samplesOf(preview, index) },
    target: values.columns[index] ?? null,
    error: errors[`columns.${index}`],
  }));
  const setTarget = (index: number, target: string | null) =>
    change({ columns: rows.map((row) => (row.index === index ? target : row.target)) });
  return (
    <DataTable
      label="Columns of the file and where they go"
      columns={columnsOf(setTarget)}
      rows={rows}
      rowKey={({ index }) => String(index)}
    />
  );
}

type SetTarget = (index: number, target: string | null) => void;

const columnsOf = (setTarget: SetTarget): Column<Row>[] => [
  {
    key: 'column',
    header: 'Column',
    isName: true,
    cell: ({ header, index, samples }) => (
      <Stack gap={0} className={classes.column ?? ''}>
        <Text size="sm" fw={500}>
          {header || `Column ${index + 1}`}
        </Text>
        <Text size="xs" c="dimmed" hiddenFrom="sm" lineClamp={2}>
          {samples.join(' · ')}
        </Text>
      </Stack>
    ),
  },
  {
    key: 'samples',
    header: 'For example',
    wide: true,
    cell: ({ samples }) =>
      samples.length > 0 ? (
        <span className={classes.samples}>{samples.join(' · ')}</span>
      ) : (
        <None>Empty in the first rows</None>
      ),
  },
  {
    key: 'target',
    header: 'Goes to',
    cell: (row) => <Target row={row} onChange={(target) => setTarget(row.index, target)} />,
  },
];

function Target({ row, onChange }: { row: Row; onChange: (target: string | null) => void }) {
  const { header, index, target, error } = row;
  const name = header || `Column ${index + 1}`;
  const custom = customName(target);
  return (
    <div className={classes.target}>
      <NativeSelect
        size="xs"
        aria-label={`${name} goes to`}
        value={choiceOf(target)}
        error={custom === null ? error : undefined}
        onChange={({ currentTarget }) => onChange(targetOf(currentTarget.value, header, index))}
        data={CHOICES}
      />
      {custom !== null && (
        <SavedText
          size="xs"
          aria-label={`Name of the custom field for ${name}`}
          maxLength={100}
          value={custom}
          error={error}
          onSave={(text) => onChange(toCustom(text))}
        />
      )}
    </div>
  );
}
