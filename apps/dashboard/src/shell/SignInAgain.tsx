import type { Me } from '@leadwire/contract/dashboard';
import { Button, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../api/index.ts';
import { SignInForm } from '../pages/entry/SignInForm.tsx';
import { Dialog, tellDone } from '../parts/index.ts';
import { setSessionEnded } from './session-end.ts';

/** Over the page of somebody whose session ended while they wrote: what they wrote is still there afterwards. */
export function SignInAgain({ me }: { me: Me }) {
  const client = useQueryClient();
  const goOn = async () => {
    const now = await client.fetchQuery({ ...apiQuery('getMe', {}), staleTime: 0 });
    // Somebody else: nothing of what was read or written for the first is theirs.
    if (now.id !== me.id) return leave();
    setSessionEnded(client, false);
    void client.invalidateQueries();
    tellDone('Signed in again. What you wrote is still here: send it once more.');
  };
  return (
    <Dialog title="Sign in again" opened keepOpen onClose={leave}>
      <Stack gap="md">
        <span>Your session has ended. What you were writing is kept.</span>
        <SignInForm email={me.email} onSignedIn={() => void goOn().catch(leave)} />
        <Button variant="subtle" color="gray" onClick={leave}>
          Leave this page
        </Button>
      </Stack>
    </Dialog>
  );
}

/** Loaded anew, the page holds nothing of before. */
const leave = () => window.location.assign('/');
