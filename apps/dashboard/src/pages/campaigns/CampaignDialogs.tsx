import type { Campaign } from '@leadwire/contract/dashboard';
import { Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../../api/index.ts';
import {
  Dialog,
  type DialogFormProps,
  FormActions,
  FormError,
  tellDone,
  useFieldErrors,
} from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';

/** Asks for the name of a new campaign. */
export function CreateCampaign({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const account = useAccount();
  const create = useChange('createCampaign', {
    refreshes: ['listCampaigns'],
    onSuccess: ({ id }) => {
      tellDone(`Campaign ${id} created`);
      close();
    },
  });
  const close = () => {
    create.reset();
    onClose();
  };
  return (
    <Dialog title="Create a campaign" opened={opened} onClose={close}>
      <NameForm
        initial=""
        submit="Create campaign"
        hint="It gets the next free number, and begins as a draft."
        isPending={create.isPending}
        error={create.error}
        onSubmit={(name) => create.mutate({ params: { account: account.id }, body: { name } })}
        onCancel={close}
      />
    </Dialog>
  );
}

/** Asks for another name; leads, number and state stay. */
export function RenameCampaign({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const account = useAccount();
  const change = useChange('changeCampaign', {
    refreshes: ['listCampaigns'],
    onSuccess: () => {
      tellDone('Campaign renamed');
      onClose();
    },
  });
  const params = { account: account.id, campaign: String(campaign.id) };
  return (
    <Dialog title={`Rename campaign ${campaign.id}`} opened onClose={onClose}>
      <NameForm
        initial={campaign.name}
        submit="Rename"
        isPending={change.isPending}
        error={change.error}
        onSubmit={(name) => change.mutate({ params, body: { name } })}
        onCancel={onClose}
      />
    </Dialog>
  );
}

type FormProps = DialogFormProps<string> & { initial: string; submit: string; hint?: string };

function NameForm({ initial, submit, hint, isPending, error, onSubmit, onCancel }: FormProps) {
  const form = useForm({
    initialValues: { name: initial },
    validate: { name: (name) => (name.trim() ? null : 'Enter a name.') },
  });
  useFieldErrors(form, error);
  return (
    <form onSubmit={form.onSubmit(({ name }) => onSubmit(name.trim()))} noValidate>
      <Stack>
        <FormError error={error} fields={['name']} />
        <TextInput
          label="Name"
          description={hint}
          maxLength={100}
          autoComplete="off"
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
      </Stack>
      <FormActions {...{ submit, onCancel, isPending }} />
    </form>
  );
}
