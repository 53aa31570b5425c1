import { DATE_ORDERS, type DateOrder } from '@leadwire/contract/dashboard';
import { NativeSelect } from '@mantine/core';
import { useMemo } from 'react';
import { countryOptions } from '../../parts/index.ts';
import type { MeaningProps } from './Meaning.tsx';
import { DATE_ORDERS as ORDER_NAMES } from './words.ts';

/** How phone numbers and times are written; each only where a column has them. */
export function RowSettings({ settings, errors }: MeaningProps) {
  const { values, change } = settings;
  const hasPhones = values.columns.includes('phone');
  const hasTimes = values.columns.includes('tcpa_consent_timestamp');
  const countries = useMemo(countryOptions, []);
  const zones = useMemo(() => Intl.supportedValuesOf('timeZone'), []);
  return (
    <>
      {hasPhones && (
        <NativeSelect
          label="Country of phone numbers"
          description="For numbers without a plus sign. Never guessed: without a country such a row is bad."
          value={values.default_country ?? ''}
          error={errors.default_country}
          onChange={({ currentTarget }) => change({ default_country: currentTarget.value || null })}
          data={[{ value: '', label: 'None: every number has a plus sign' }, ...countries]}
        />
      )}
      {hasTimes && (
        <>
          <NativeSelect
            label="How times are written"
            description="In which order day, month and year stand. Never guessed."
            value={values.date_order}
            error={errors.date_order}
            onChange={({ currentTarget }) =>
              change({ date_order: currentTarget.value as DateOrder })
            }
            data={DATE_ORDERS.map((value) => ({ value, label: ORDER_NAMES[value] }))}
          />
          <NativeSelect
            label="Time zone"
            description="Of times that name no offset from UTC. Without a zone such a row is bad."
            value={values.time_zone ?? ''}
            error={errors.time_zone}
            onChange={({ currentTarget }) => change({ time_zone: currentTarget.value || null })}
            data={[
              { value: '', label: 'None: every time has an offset' },
              ...withCurrent(zones, values.time_zone),
            ]}
          />
        </>
      )}
    </>
  );
}

/** A zone may be known to the service under a name that this browser does not list. */
const withCurrent = (zones: string[], current: string | null): string[] => [
  ...(current && !zones.includes(current) ? [current] : []),
  ...(zones.includes('UTC') ? [] : ['UTC']),
  ...zones,
];
