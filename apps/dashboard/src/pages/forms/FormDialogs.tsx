import type { ApiKey, Form } from '@leadwire/contract/dashboard';
import { Button, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ApiError, useApi, useChange } from '../../api/index.ts';
import {
  ButtonLink,
  ConfirmDialog,
  Dialog,
  DialogActions,
  Loaded,
  tellDone,
} from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import { FormEditor } from './FormEditor.tsx';
import { bodyOf, type FormValues, newValues, valuesOf } from './form-values.ts';

export type FormParams = { account: string; form: string };

export const SHOWN_IN = ['listForms', 'getForm', 'getEmbedding'] as const;

type OpenProps = { opened: boolean; onClose: () => void };

/** Asks for a new form, then goes to its page, where its HTML is. */
export function CreateForm({ opened, onClose }: OpenProps) {
  const account = useAccount();
  const navigate = useNavigate();
  const create = useChange('createForm', {
    refreshes: ['listForms'],
    onSuccess: async ({ id }) => {
      tellDone('Form created');
      close();
      await navigate({ to: '/a/$account/forms/$form', params: { account: account.id, form: id } });
    },
  });
  const close = () => {
    create.reset();
    onClose();
  };
  return (
    <Dialog title="Create a form" size="xl" {...{ opened, onClose: close }}>
      <Editor
        submit="Create form"
        isPending={create.isPending}
        error={create.error}
        onSubmit={(values) =>
          create.mutate({ params: { account: account.id }, body: bodyOf(values) })
        }
        onCancel={close}
      />
    </Dialog>
  );
}

type ChangeProps = OpenProps & { form: Form; params: FormParams };

export function EditForm({ form, params, opened, onClose }: ChangeProps) {
  const change = useChange('changeForm', {
    refreshes: SHOWN_IN,
    onSuccess: (saved) => {
      tellDone(
        isPastedAnew(form, saved)
          ? 'Form saved. Paste its HTML anew where it stands on a page.'
          : 'Form saved',
      );
      close();
    },
  });
  const close = () => {
    change.reset();
    onClose();
  };
  return (
    <Dialog title="Edit form" size="xl" {...{ opened, onClose: close }}>
      <Editor
        form={form}
        submit="Save"
        isPending={change.isPending}
        error={change.error}
        onSubmit={(values) => change.mutate({ params, body: bodyOf(values) })}
        onCancel={close}
      />
    </Dialog>
  );
}

/** Whether the HTML of the form is another one than before. */
const isPastedAnew = (before: Form, after: Form): boolean =>
  JSON.stringify([before.fields, before.consent]) !== JSON.stringify([after.fields, after.consent]);

type EditorProps = {
  form?: Form;
  submit: string;
  isPending: boolean;
  error: ApiError | null;
  onSubmit: (values: FormValues) => void;
  onCancel: () => void;
};

/** The editor, once it is known what can be chosen; a form needs a campaign and a key. */
function Editor({ form, onCancel, ...props }: EditorProps) {
  const { id: account } = useAccount();
  const campaigns = useApi('listCampaigns', { params: { account } });
  const keys = useApi('listKeys', { params: { account } });
  return (
    <Loaded query={campaigns}>
      {({ campaigns: all }) => (
        <Loaded query={keys}>
          {({ keys: everyKey }) => {
            const usable = usableKeys(everyKey, form);
            if (all.length === 0) return <Missing what="campaign" onCancel={onCancel} />;
            if (usable.length === 0) return <Missing what="key" onCancel={onCancel} />;
            const initial = form
              ? valuesOf(form)
              : newValues({
                  campaign_id: only(all.map(({ id }) => String(id))),
                  key_id: only(usable.map(({ id }) => id)),
                });
            return (
              <FormEditor {...{ ...props, onCancel, initial, campaigns: all, keys: usable }} />
            );
          }}
        </Loaded>
      )}
    </Loaded>
  );
}

/** Keys that may send leads and are not on their way out; the form's own, too, as long as it has it. */
const usableKeys = (keys: readonly ApiKey[], form: Form | undefined) =>
  keys.filter(
    ({ id, state, scopes, replaced_by: successor }) =>
      id === form?.key.id || (state === 'active' && !successor && scopes.includes('leads:write')),
  );

/** What is chosen where there is no choice. */
const only = (values: readonly string[]): string => (values.length === 1 ? (values[0] ?? '') : '');

const NEEDED = {
  campaign: {
    text: 'Each form belongs to a campaign, and there is none yet. Create one first.',
    to: '/a/$account/campaigns',
    label: 'Go to the campaigns',
  },
  key: {
    text: 'A form shares the rate limit of an API key that may send leads, and there is none. Create a key with the scope leads:write first.',
    to: '/a/$account/keys',
    label: 'Go to the API keys',
  },
} as const;

function Missing({ what, onCancel }: { what: keyof typeof NEEDED; onCancel: () => void }) {
  const { id: account } = useAccount();
  const { text, to, label } = NEEDED[what];
  return (
    <Stack>
      <Text size="sm">{text}</Text>
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <ButtonLink {...{ to, params: { account } }} data-autofocus>
          {label}
        </ButtonLink>
      </DialogActions>
    </Stack>
  );
}

/** Asks before a form answers as if it was never there. */
export function SwitchOff({ form, params, opened, onClose }: ChangeProps) {
  const change = useChange('changeForm', {
    refreshes: SHOWN_IN,
    onSuccess: () => {
      tellDone('Form switched off');
      close();
    },
  });
  const close = () => {
    change.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Switch off “${form.name}”?`}
      {...{ opened, onClose: close }}
      confirm="Switch off"
      onConfirm={() => change.mutate({ params, body: { active: false } })}
      isPending={change.isPending}
      error={change.error}
    >
      <Text size="sm">
        Within a second it answers “not found”: on every page that has it, by its link, and to
        Google Ads. What visitors send meanwhile is not kept. Its leads, evidence and settings stay,
        and it can be switched on again.
      </Text>
    </ConfirmDialog>
  );
}
