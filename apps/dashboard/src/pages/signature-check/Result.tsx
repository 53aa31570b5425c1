import type { SignatureCheck } from '@leadwire/contract/dashboard';
import { Alert, Stack, Text } from '@mantine/core';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { CodeBlock, type Column, DataTable, Mono, None, Section } from '../../parts/index.ts';

const TITLES: Readonly<Record<SignatureCheck['verdict'], string>> = {
  valid: 'The signature is right',
  unknown_key: 'The key is not in use',
  timestamp_malformed: 'The timestamp is not a number of seconds',
  expired: 'The timestamp is too far from the time here',
  mismatch: 'The signature is wrong',
};

/** What came out: the verdict, the lines that have to be signed, and where the sender's differ. */
export function Result({ result }: { result: SignatureCheck }) {
  const { verdict, message, expected, differences } = result;
  const isRight = verdict === 'valid';
  return (
    <Section title="Result">
      <Alert
        mb="md"
        role="status"
        color={isRight ? 'green' : 'red'}
        title={TITLES[verdict]}
        icon={
          isRight ? <CircleCheck size={18} aria-hidden /> : <CircleAlert size={18} aria-hidden />
        }
      >
        {message}
      </Alert>
      <Text size="sm" mb="xs">
        These five lines, joined by line breaks and without one at the end, have to be signed with
        HMAC-SHA256 and the secret key as text; the signature is 64 digits of lower-case hex.
      </Text>
      <Stack gap="md">
        <DataTable
          label="The five lines"
          columns={LINES}
          rows={expected}
          rowKey={({ name }) => name}
        />
        {differences && <Differences differences={differences} />}
        <CodeBlock label="The text to sign" code={expected.map(({ value }) => value).join('\n')} />
      </Stack>
    </Section>
  );
}

const LINES: Column<SignatureCheck['expected'][number]>[] = [
  { key: 'name', header: 'Line', isName: true, cell: ({ name }) => name },
  {
    key: 'value',
    header: 'As the service reads it',
    cell: ({ value }) => (value === '' ? <None>An empty line</None> : <Mono>{value}</Mono>),
  },
];

type Difference = NonNullable<SignatureCheck['differences']>[number];

const Differences = ({ differences }: { differences: readonly Difference[] }) =>
  differences.length === 0 ? (
    <Text size="sm">The sender's text is the same, line by line.</Text>
  ) : (
    <div>
      <Text size="sm" mb="xs">
        The sender's text differs here:
      </Text>
      <DataTable
        label="Lines that differ"
        columns={DIFFERENCES}
        rows={differences}
        rowKey={({ line }) => String(line)}
      />
    </div>
  );

const DIFFERENCES: Column<Difference>[] = [
  { key: 'line', header: 'Line', isName: true, cell: ({ line, name }) => `${line}, ${name}` },
  { key: 'expected', header: 'Expected', cell: ({ expected }) => <Shown text={expected} /> },
  { key: 'given', header: 'Signed', cell: ({ given }) => <Shown text={given} /> },
];

/** Spaces and line breaks at the ends are what people look for. */
function Shown({ text }: { text: string | null }) {
  if (text === null) return <None>No such line</None>;
  if (text === '') return <None>An empty line</None>;
  return (
    <Mono>
      {text.replace(/\r/g, '\\r').replace(/^ +| +$/g, (spaces) => '·'.repeat(spaces.length))}
    </Mono>
  );
}
