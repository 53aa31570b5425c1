import type { Form } from '@leadwire/contract/dashboard';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/index.ts';
import {
  ConfirmDialog,
  CopyField,
  Dialog,
  DialogActions,
  RelativeTime,
  SecretOnce,
  Section,
  tellDone,
  tellError,
} from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import { type FormParams, SHOWN_IN } from './FormDialogs.tsx';
import classes from './forms.module.css';

type Props = { form: Form; params: FormParams };

/** Lead forms of Google Ads, sent straight here: its dialog asks for an address and a key. */
export function GoogleAds({ form, params }: Props) {
  const mayMake = useAccount().may('forms.change') && form.google_key_made_at === null;
  return (
    <Section
      title="Google Ads"
      description="Leads of a lead form in Google Ads can come in here the moment that they are sent, into the same campaign."
    >
      <Stack gap="md" align="stretch">
        <CopyField label="Webhook URL" value={form.google_url} />
        <Key {...{ form, params }} />
        <Steps mayMake={mayMake} />
      </Stack>
    </Section>
  );
}

const Steps = ({ mayMake }: { mayMake: boolean }) => (
  <ol className={classes.steps}>
    {mayMake && <li>Make a key here and copy it.</li>}
    <li>In Google Ads open the lead form, and there its part on how leads are delivered.</li>
    <li>Enter the webhook URL from above, and the key.</li>
    <li>
      Press “Send test data”. Google says that it worked, and the test appears under Submissions; no
      lead is made of it.
    </li>
    <li>Save the lead form.</li>
  </ol>
);

type Act = 'replace' | 'end';

function Key({ form, params }: Props) {
  const [open, setOpen] = useState<Act | null>(null);
  const [made, setMade] = useState<string | null>(null);
  const make = useChange('makeGoogleKey', {
    refreshes: SHOWN_IN,
    onSuccess: ({ google_key: key }) => {
      setOpen(null);
      setMade(key);
    },
    onError: (error) => (open ? undefined : tellError(error)),
  });
  const close = () => {
    make.reset();
    setOpen(null);
  };
  return (
    <>
      <KeyState
        madeAt={form.google_key_made_at}
        isMaking={make.isPending}
        onMake={() => make.mutate({ params })}
        onOpen={setOpen}
      />
      <ReplaceKey {...{ make, params, opened: open === 'replace', onClose: close }} />
      <EndKey params={params} opened={open === 'end'} onClose={close} />
      <Made value={made} onClose={() => setMade(null)} />
    </>
  );
}

type ReplaceProps = EndProps & { make: ReturnType<typeof useChange<'makeGoogleKey'>> };

const ReplaceKey = ({ make, params, opened, onClose }: ReplaceProps) => (
  <ConfirmDialog
    title="Replace the Google Ads key?"
    {...{ opened, onClose }}
    confirm="Replace key"
    onConfirm={() => make.mutate({ params })}
    isPending={make.isPending}
    error={make.error}
  >
    <Text size="sm">
      The key of now ends at once. Until the new one stands in Google Ads, leads that it sends are
      refused and not kept here.
    </Text>
  </ConfirmDialog>
);

type StateProps = {
  madeAt: string | null;
  isMaking: boolean;
  onMake: () => void;
  onOpen: (act: Act) => void;
};

/** Whether there is a key, and what can be done about it. */
function KeyState({ madeAt, isMaking, onMake, onOpen }: StateProps) {
  const mayChange = useAccount().may('forms.change');
  if (!madeAt) {
    return (
      <Group gap="sm">
        <Text size="sm">
          There is no key: what Google Ads sends is refused.
          {mayChange ? '' : ' An admin of the account can make one.'}
        </Text>
        {mayChange && (
          <Button size="xs" loading={isMaking} onClick={onMake}>
            Make a key
          </Button>
        )}
      </Group>
    );
  }
  return (
    <Group gap="sm">
      <Text size="sm">
        The key was made <RelativeTime value={madeAt} />.
      </Text>
      {mayChange && (
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => onOpen('replace')}>
            Replace key
          </Button>
          <Button size="xs" variant="default" onClick={() => onOpen('end')}>
            End key
          </Button>
        </Group>
      )}
    </Group>
  );
}

type EndProps = { params: FormParams; opened: boolean; onClose: () => void };

function EndKey({ params, opened, onClose }: EndProps) {
  const end = useChange('endGoogleKey', {
    refreshes: SHOWN_IN,
    onSuccess: () => {
      tellDone('Google Ads key ended');
      close();
    },
  });
  const close = () => {
    end.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      title="End the Google Ads key?"
      {...{ opened, onClose: close }}
      confirm="End key"
      onConfirm={() => end.mutate({ params })}
      isPending={end.isPending}
      error={end.error}
    >
      <Text size="sm">
        From now on leads that Google Ads sends to this form are refused and not kept here. The key
        cannot be brought back; a new one can be made. The form on your pages is not touched.
      </Text>
    </ConfirmDialog>
  );
}

/** The new key, now and never again. */
const Made = ({ value, onClose }: { value: string | null; onClose: () => void }) => (
  <Dialog title="Google Ads key" opened={value !== null} keepOpen onClose={onClose} size="lg">
    {value !== null && (
      <Stack>
        <SecretOnce label="Key" value={value} />
        <Text size="sm">Paste it into the field Key beside the webhook URL in Google Ads.</Text>
        <DialogActions>
          <Button onClick={onClose}>I have kept the key</Button>
        </DialogActions>
      </Stack>
    )}
  </Dialog>
);
