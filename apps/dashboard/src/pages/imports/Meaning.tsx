import type { ImportPreview } from '@leadwire/contract/dashboard';
import { NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core';
import { ErrorState, Section } from '../../parts/index.ts';
import { ColumnTargets } from './ColumnTargets.tsx';
import type { ImportProps } from './params.ts';
import { RowSettings } from './RowSettings.tsx';
import { SavedText } from './SavedText.tsx';
import { useCampaigns } from './useCampaigns.ts';
import type { SettingsForm } from './useSettings.ts';

export type MeaningProps = ImportProps & {
  settings: SettingsForm;
  preview: ImportPreview | undefined;
  /** By setting: of the last change, and of the last try to check or start. */
  errors: Readonly<Record<string, string>>;
};

/** Which campaign and source the leads are of, and what each column is. */
export function Meaning(props: MeaningProps) {
  const { settings, errors, found, preview } = props;
  const { values, change } = settings;
  return (
    <Section title="2. What is in it?" description="Everything here is saved as you choose it.">
      <Stack gap="md">
        {Object.keys(settings.errors).length === 0 && settings.error ? (
          <ErrorState error={settings.error} retry={() => change({})} />
        ) : null}
        <SimpleGrid cols={{ base: 1, sm: 2 }} maw={720} verticalSpacing="sm">
          <CampaignSelect {...props} />
          <SavedText
            label="Source"
            description="Where the file comes from, for leads that name no source. The columns are remembered by it."
            placeholder="spring-fair"
            maxLength={255}
            value={values.source ?? ''}
            error={errors.source}
            onSave={(source) => change({ source })}
          />
          <RowSettings {...props} />
        </SimpleGrid>
        {found.detected?.remembered && (
          <Text size="sm" role="status">
            The columns are set as they were when a file like this was imported before. Look whether
            they still fit.
          </Text>
        )}
        {errors.columns && (
          <Text size="sm" role="alert" c="var(--mantine-color-error)">
            {errors.columns}
          </Text>
        )}
        {preview && <ColumnTargets {...{ settings, errors, preview }} />}
      </Stack>
    </Section>
  );
}

function CampaignSelect({ params, settings, errors }: MeaningProps) {
  const { options } = useCampaigns(params.account);
  const { campaign_id } = settings.values;
  return (
    <NativeSelect
      label="Campaign"
      description="The leads of the file become leads of this campaign."
      value={campaign_id === null ? '' : String(campaign_id)}
      error={errors.campaign_id}
      onChange={({ currentTarget }) =>
        settings.change({ campaign_id: Number(currentTarget.value) })
      }
      data={[
        ...(campaign_id === null
          ? [{ value: '', label: 'Choose a campaign', disabled: true }]
          : []),
        ...options,
      ]}
    />
  );
}
