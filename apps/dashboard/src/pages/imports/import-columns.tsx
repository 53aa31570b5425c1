import type { Import } from '@leadwire/contract/dashboard';
import { Text } from '@mantine/core';
import {
  type Column,
  formatCount,
  None,
  RelativeTime,
  StatusBadge,
  TextLink,
} from '../../parts/index.ts';
import { hasRun, isUnderWay, percentOf, STATES, sizeText } from './words.ts';

/** The columns of the list of imports; a phone shows the file, its state and when. */
export const columnsOf = (account: string): Column<Import>[] => [
  {
    key: 'file',
    header: 'File',
    isName: true,
    cell: ({ id, file_name, bytes, settings }) => (
      <>
        <TextLink
          to="/a/$account/imports/$import"
          params={{ account, import: id }}
          size="sm"
          lineClamp={2}
          title={file_name}
          style={{ overflowWrap: 'anywhere' }}
        >
          {file_name}
        </TextLink>
        <Text size="xs" c="dimmed" lineClamp={1}>
          {[sizeText(bytes), settings?.source].filter(Boolean).join(' · ')}
        </Text>
      </>
    ),
  },
  { key: 'state', header: 'State', cell: (found) => <State found={found} /> },
  ...count('inserted', 'New'),
  ...count('patched', 'Changed'),
  ...count('deduped', 'Known'),
  ...count('failed', 'Bad'),
  {
    key: 'who',
    header: 'By',
    wide: true,
    cell: ({ made_by }) => made_by ?? <None>Command line</None>,
  },
  {
    key: 'when',
    header: 'Uploaded',
    cell: ({ created_at }) => <RelativeTime value={created_at} />,
  },
];

const count = (name: keyof Import['counts'], header: string): Column<Import>[] => [
  {
    ...{ key: name, header, align: 'right', wide: true },
    cell: (found) => (hasRun(found) ? formatCount(found.counts[name]) : null),
  },
];

function State({ found }: { found: Import }) {
  const { label, tone } = STATES[found.state];
  const percent = isUnderWay(found) && found.state !== 'uploading' ? percentOf(found) : null;
  return (
    <StatusBadge tone={tone}>
      {percent === null ? label : `${label} ${Math.floor(percent)}%`}
    </StatusBadge>
  );
}
