import { Code, Text } from '@mantine/core';
import type { Field } from './fields.ts';
import { Prose } from './Prose.tsx';
import classes from './reference.module.css';

/** Names, types and rules of fields; `place` says where each stands: path, query, header. */
export function FieldList({ fields }: { fields: readonly (Field & { in?: string })[] }) {
  return (
    <ul className={classes.fields}>
      {fields.map((field) => (
        <li key={`${field.in} ${field.name}`}>
          <Text component="span" size="sm">
            <Code style={{ overflowWrap: 'anywhere' }}>{field.name}</Code>{' '}
            <Text span c="dimmed" size="sm">
              {[field.in, field.type].filter(Boolean).join(', ')}
            </Text>
            {field.required && (
              <Text span size="sm" fw={600}>
                , required
              </Text>
            )}
          </Text>
          <Prose text={[field.description, sentence(field.rules)].filter(Boolean).join(' ')} />
        </li>
      ))}
    </ul>
  );
}

const sentence = (rules: string): string =>
  rules && `${rules.charAt(0).toUpperCase()}${rules.slice(1)}.`;
