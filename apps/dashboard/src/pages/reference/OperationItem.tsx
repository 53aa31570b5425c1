import { Accordion, Badge, Code, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock } from '../../parts/index.ts';
import type { Answer, Example, Failure, Operation } from './document.ts';
import { FieldList } from './FieldList.tsx';
import { Prose } from './Prose.tsx';
import classes from './reference.module.css';

/** One operation, folded to a line until it is opened; its details are not drawn before. */
export function OperationItem({ operation, isOpen }: { operation: Operation; isOpen: boolean }) {
  const { id, method, path, summary } = operation;
  return (
    <Accordion.Item value={id} id={id} className={classes.operation ?? ''}>
      <Accordion.Control>
        <Group gap="xs" wrap="wrap">
          <Badge variant="default" radius="sm" miw={64}>
            {method}
          </Badge>
          <Text span ff="monospace" size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {path}
          </Text>
          <Text span size="sm" c="dimmed">
            {summary}
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>{isOpen && <Details operation={operation} />}</Accordion.Panel>
    </Accordion.Item>
  );
}

function Details({ operation }: { operation: Operation }) {
  const { description, curl, parameters, body, answers, failures } = operation;
  return (
    <Stack gap="lg">
      {description && <Prose text={description} />}
      {curl && (
        <Part title="Example request">
          <CodeBlock code={curl} label="Request with curl" />
        </Part>
      )}
      {parameters.length > 0 && (
        <Part title="Parameters">
          <FieldList fields={parameters} />
        </Part>
      )}
      {body && (
        <Part title="Body">
          {body.description && <Prose text={body.description} />}
          <FieldList fields={body.fields} />
          <Examples examples={body.examples} />
        </Part>
      )}
      {answers.map((answer) => (
        <AnswerPart key={answer.status} answer={answer} />
      ))}
      {failures.length > 0 && <Failures failures={failures} />}
    </Stack>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="xs">
      <Title order={4} size="sm">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

function AnswerPart({ answer: { status, examples, fields } }: { answer: Answer }) {
  if (examples.length === 0 && fields.length === 0) return null;
  return (
    <Part title={`Answer ${status}`}>
      <Examples examples={examples} />
      {fields.length > 0 && (
        <details>
          <summary className={classes.summary}>Fields of the answer</summary>
          <FieldList fields={fields} />
        </details>
      )}
    </Part>
  );
}

const Examples = ({ examples }: { examples: readonly Example[] }) =>
  examples.map(({ summary, text }) => <CodeBlock key={summary} code={text} label={summary} />);

function Failures({ failures }: { failures: readonly Failure[] }) {
  return (
    <Part title="Errors">
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {failures.map(({ status, description, codes }) => (
          <li key={status}>
            <Text span size="sm" fw={600}>
              {status === 'default' ? 'Other' : status}
            </Text>{' '}
            <Text span size="sm">
              {description}
            </Text>
            <Text size="sm" c="dimmed">
              {codes.map(({ text }) => (
                <ErrorCode key={text} text={text} />
              ))}
            </Text>
          </li>
        ))}
      </Stack>
    </Part>
  );
}

/** What a program sees of a failure: its `error`, as the example has it. */
function ErrorCode({ text }: { text: string }) {
  const { error } = JSON.parse(text) as { error?: string };
  return (
    <>
      <Code style={{ overflowWrap: 'anywhere' }}>{error}</Code>{' '}
    </>
  );
}
