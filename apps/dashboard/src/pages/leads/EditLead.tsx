import type { ShownLead } from '@leadwire/contract/dashboard';
import { Stack } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { type ApiError, useChange } from '../../api/index.ts';
import { Dialog, FormActions, FormError, showFieldErrors, tellDone } from '../../parts/index.ts';
import { Conflict } from './Conflict.tsx';
import { LeadInputs } from './LeadInputs.tsx';
import type { LeadParams } from './LeadPage.tsx';
import { changesOf, type LeadValues, parseObject, reapplied, valuesOf } from './lead-values.ts';
import { FIELD_NAMES } from './words.ts';

type Props = { lead: ShownLead; params: LeadParams; opened: boolean; onClose: () => void };

/** Changes a lead: what was typed is compared with the lead as it was when the form was opened. */
export function EditLead({ lead, params, opened, onClose }: Props) {
  return (
    <Dialog title="Edit lead" size="lg" opened={opened} onClose={onClose}>
      <EditForm {...{ lead, params, onClose }} />
    </Dialog>
  );
}

function EditForm({ lead, params, onClose }: Omit<Props, 'opened'>) {
  const form = useLeadForm(lead);
  const { base, now, edit, save, reapply } = useEdit({ lead, params, form, onClose });
  if (now) {
    const mine = changesOf(base, form.values);
    return <Conflict {...{ base, now, mine }} onReapply={reapply} onDiscard={onClose} />;
  }
  return (
    <form onSubmit={form.onSubmit(save)} noValidate>
      <Stack>
        <FormError error={edit.error} fields={FIELDS} />
        <LeadInputs form={form} />
      </Stack>
      <FormActions submit="Save" onCancel={onClose} isPending={edit.isPending} />
    </form>
  );
}

type Edited = Omit<Props, 'opened'> & { form: UseFormReturnType<LeadValues> };

/** Saving, and what to do where somebody else was faster: `now` is the lead as they left it. */
function useEdit({ lead, params, form, onClose }: Edited) {
  // Kept as it was: an answer that comes meanwhile must not change what the changes are changes of.
  const [base, setBase] = useState(lead);
  const [now, setNow] = useState<ShownLead | null>(null);
  const edit = useChange('editLead', {
    refreshes: ['getLead', 'getTimeline', 'listLeads'],
    onSuccess() {
      tellDone('Lead changed');
      onClose();
    },
    onError(error) {
      setNow(currentOf(error));
      showFieldErrors(form, error);
    },
  });
  const save = (values: LeadValues) => {
    const changes = changesOf(base, values);
    if (Object.keys(changes).length === 0) onClose();
    else edit.mutate({ params, body: { version: base.version, changes } });
  };
  const reapply = () => {
    if (!now) return;
    form.setValues(reapplied(base, form.values, now));
    setBase(now);
    setNow(null);
    edit.reset();
  };
  return { base, now, edit, save, reapply };
}

const FIELDS = [
  ...Object.keys(FIELD_NAMES),
  ...['street', 'city', 'state', 'zip'].map((part) => `address.${part}`),
];

const useLeadForm = (lead: ShownLead) =>
  useForm<LeadValues>({
    initialValues: valuesOf(lead),
    validate: {
      custom_fields: (text) =>
        parseObject(text) ? null : 'Enter a JSON object, e.g. {"roof": "flat"}.',
    },
  });

/** The lead as it is now, where somebody else changed it meanwhile. */
const currentOf = (error: ApiError): ShownLead | null =>
  error.status === 409 ? ((error.details.lead as ShownLead | undefined) ?? null) : null;
