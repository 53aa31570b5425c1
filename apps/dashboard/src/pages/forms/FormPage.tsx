import type { Form } from '@leadwire/contract/dashboard';
import { Alert, Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi, useChange } from '../../api/index.ts';
import {
  BackLink,
  Loaded,
  PageHeader,
  StatusBadge,
  tellDone,
  tellError,
} from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import { Embedding } from './Embedding.tsx';
import { EditForm, type FormParams, SHOWN_IN, SwitchOff } from './FormDialogs.tsx';
import { FormSettings } from './FormSettings.tsx';
import { FormsOff } from './FormsOff.tsx';
import { GoogleAds } from './GoogleAds.tsx';
import { Submissions } from './Submissions.tsx';
import { stateOf } from './words.ts';

const route = getRouteApi('/signed-in/a/$account/forms/$form');
const REFRESH_MS = 10_000;

/** One form: how to put it on a page, what came by it, and its settings. */
export function FormPage() {
  const params = route.useParams();
  const query = useApi('getForm', { params }, { refetchInterval: REFRESH_MS });
  const [open, setOpen] = useState<'edit' | 'off' | null>(null);
  const dialog = (name: 'edit' | 'off') => ({
    ...{ params, opened: open === name },
    onClose: () => setOpen(null),
  });
  return (
    <>
      <Head {...{ form: query.data, params, onOpen: setOpen }} />
      <FormsOff />
      <Loaded query={query}>
        {(form) => (
          <>
            <Warning {...{ form, onEdit: () => setOpen('edit') }} />
            <Embedding {...{ form, params }} />
            <GoogleAds {...{ form, params }} />
            <Submissions params={params} />
            <FormSettings {...{ form, params }} />
            <EditForm form={form} {...dialog('edit')} />
            <SwitchOff form={form} {...dialog('off')} />
          </>
        )}
      </Loaded>
    </>
  );
}

type HeadProps = {
  form: Form | undefined;
  params: FormParams;
  onOpen: (dialog: 'edit' | 'off') => void;
};

/** One header before and after the form is here: the focus that it took stays. */
function Head({ form, params, onOpen }: HeadProps) {
  const account = useAccount();
  const state = form && stateOf(form);
  return (
    <PageHeader
      title={form?.name ?? 'Form'}
      badge={state && <StatusBadge tone={state.tone}>{state.label}</StatusBadge>}
      back={
        <BackLink to="/a/$account/forms" params={{ account: params.account }}>
          Forms
        </BackLink>
      }
      actions={
        form &&
        account.may('forms.change') && (
          <>
            <Button variant="default" onClick={() => onOpen('edit')}>
              Edit
            </Button>
            {form.active ? (
              <Button variant="default" onClick={() => onOpen('off')}>
                Switch off
              </Button>
            ) : (
              <SwitchOn params={params} />
            )}
          </>
        )
      }
    />
  );
}

function SwitchOn({ params }: { params: FormParams }) {
  const change = useChange('changeForm', {
    refreshes: SHOWN_IN,
    onSuccess: () => tellDone('Form switched on'),
    onError: tellError,
  });
  return (
    <Button
      variant="default"
      loading={change.isPending}
      onClick={() => change.mutate({ params, body: { active: true } })}
    >
      Switch on
    </Button>
  );
}

/** Why nobody can send the form, and how to mend it. */
function Warning({ form, onEdit }: { form: Form; onEdit: () => void }) {
  const mayChange = useAccount().may('forms.change');
  if (!form.active) {
    return (
      <Alert color="gray" mb="lg" title="Switched off">
        Visitors and Google Ads get “not found”, and what they send is not kept.
        {mayChange ? ' Switch the form on to take leads again.' : ''}
      </Alert>
    );
  }
  if (form.key.state === 'active') return null;
  return (
    <Alert color="red" mb="lg" title={`The API key of this form ${ENDED[form.key.state]}`}>
      <p style={{ margin: '0 0 8px' }}>
        Visitors and Google Ads get “not found”, and what they send is not kept.{' '}
        {mayChange
          ? 'Choose another key: pages that have the form need no change.'
          : 'An admin of the account can choose another key.'}
      </p>
      {mayChange && (
        <Button size="xs" variant="default" onClick={onEdit}>
          Choose another key
        </Button>
      )}
    </Alert>
  );
}

const ENDED = { revoked: 'was revoked', expired: 'has expired' } as const;
