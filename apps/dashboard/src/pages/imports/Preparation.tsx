import type { ImportSettings } from '@leadwire/contract/dashboard';
import { useEffect, useRef } from 'react';
import { useApi } from '../../api/index.ts';
import { Check } from './Check.tsx';
import classes from './imports.module.css';
import { Meaning } from './Meaning.tsx';
import type { ImportProps } from './params.ts';
import { Reading } from './Reading.tsx';
import { useChecking } from './useChecking.ts';
import { type SettingsForm, useSettings } from './useSettings.ts';

/** The steps before an import runs: how the file is read, what it means, what a check finds, and the start. */
export function Preparation({ found, params }: ImportProps) {
  const preview = useApi('previewImport', { params }, { keepPrevious: true });
  const stored = useSettings(found.settings as ImportSettings, params);
  const checking = useChecking(stored, params);
  const settings: SettingsForm = {
    ...stored,
    change: (changes) => {
      checking.forget();
      stored.change(changes);
    },
  };
  const props = { found, params, settings };
  const inputs = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (!checking.error) return;
    inputs.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [checking.error]);
  return (
    <>
      <fieldset ref={inputs} disabled={found.state === 'checking'} className={classes.plain}>
        <Reading {...props} preview={preview} />
        <Meaning
          {...props}
          preview={preview.data}
          errors={{ ...checking.errors, ...settings.errors }}
        />
      </fieldset>
      <Check {...props} checking={checking} />
    </>
  );
}
