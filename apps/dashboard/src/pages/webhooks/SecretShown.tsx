import { Button, Stack, Tabs } from '@mantine/core';
import { CodeBlock, DialogActions, SecretOnce } from '../../parts/index.ts';
import { NODE_SNIPPET, PYTHON_SNIPPET } from './snippets.ts';

const SNIPPETS = [
  { value: 'node', name: 'Node', code: NODE_SNIPPET },
  { value: 'python', name: 'Python', code: PYTHON_SNIPPET },
];

/** A signing secret, now and never again, with the code that checks what it signs. */
export function SecretShown({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <Stack>
      <SecretOnce label="Signing secret" value={secret} />
      <Tabs defaultValue="node" aria-label="Check a signature">
        <Tabs.List>
          {SNIPPETS.map(({ value, name }) => (
            <Tabs.Tab key={value} value={value}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {SNIPPETS.map(({ value, name, code }) => (
          <Tabs.Panel key={value} value={value} pt="xs">
            <CodeBlock code={code} label={`Check a signature in ${name}`} />
          </Tabs.Panel>
        ))}
      </Tabs>
      <DialogActions>
        <Button onClick={onDone}>I have kept the secret</Button>
      </DialogActions>
    </Stack>
  );
}
