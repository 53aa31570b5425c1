import {
  IMPORT_ENCODINGS,
  IMPORT_SEPARATORS,
  type ImportEncoding,
  type ImportPreview,
  type ImportSeparator,
} from '@leadwire/contract/dashboard';
import { Alert, Group, NativeSelect, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import type { ApiError } from '../../api/index.ts';
import { Loaded, Section } from '../../parts/index.ts';
import { PreviewTable } from './PreviewTable.tsx';
import type { ImportProps } from './params.ts';
import type { SettingsForm } from './useSettings.ts';
import { ENCODINGS, SEPARATORS } from './words.ts';

type Props = ImportProps & {
  settings: SettingsForm;
  preview: UseQueryResult<ImportPreview, ApiError>;
};

/** Encoding and separator as they were found, to be changed where the first rows look wrong. */
export function Reading({ found, settings, preview }: Props) {
  const { values, errors, change } = settings;
  return (
    <Section
      title="1. Does the file look right?"
      description="Encoding and separator were found in the file. Choose others if letters or columns below look wrong."
    >
      <Group gap="sm" mb="sm" align="flex-start">
        <NativeSelect
          label="Encoding"
          value={values.encoding}
          error={errors.encoding}
          onChange={({ currentTarget }) =>
            change({ encoding: currentTarget.value as ImportEncoding })
          }
          data={IMPORT_ENCODINGS.map((value) => ({
            value,
            label: ENCODINGS[value] + foundText(found.detected?.encoding === value),
          }))}
        />
        <NativeSelect
          label="Separator"
          value={values.separator}
          error={errors.separator}
          onChange={({ currentTarget }) =>
            change({ separator: currentTarget.value as ImportSeparator })
          }
          data={IMPORT_SEPARATORS.map((value) => ({
            value,
            label: SEPARATORS[value] + foundText(found.detected?.separator === value),
          }))}
        />
      </Group>
      <Loaded query={preview}>
        {(shown) => (
          <>
            <Warnings warnings={shown.warnings} />
            <PreviewTable preview={shown} isStale={preview.isFetching && settings.isSaving} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

const foundText = (isFound: boolean): string => (isFound ? ' (found)' : '');

const Warnings = ({ warnings }: Pick<ImportPreview, 'warnings'>) =>
  warnings.length === 0 ? null : (
    <Alert
      mb="sm"
      color="yellow"
      icon={<TriangleAlert size={18} aria-hidden />}
      title="Look at this"
    >
      {warnings.map(({ code, message }) => (
        <Text key={code} size="sm">
          {message}
        </Text>
      ))}
    </Alert>
  );
