import { Checkbox, type CheckboxGroupProps, Stack, Text } from '@mantine/core';

type Props = Omit<CheckboxGroupProps, 'children'> & {
  /** What each choice means, by its name. */
  meanings: Readonly<Record<string, string>>;
};

/** Names of the API to choose among, any number of them, each with what it means. */
export const Choices = ({ meanings, ...props }: Props) => (
  <Checkbox.Group {...props}>
    <Stack gap="xs" mt={6}>
      {Object.entries(meanings).map(([name, meaning]) => (
        <Checkbox
          key={name}
          value={name}
          description={meaning}
          label={
            <Text span size="sm" ff="monospace">
              {name}
            </Text>
          }
        />
      ))}
    </Stack>
  </Checkbox.Group>
);
