import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useChange } from '../../api/index.ts';
import { ConfirmDialog, Section, tellDone } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';

export function LeaveSection() {
  const account = useAccount();
  const navigate = useNavigate();
  const [isOpen, dialog] = useDisclosure(false);
  const leave = useChange('leaveAccount', {
    refreshes: ['getMe'],
    onSuccess: async () => {
      dialog.close();
      await navigate({ to: '/profile' });
      tellDone(`You have left ${account.name}`);
    },
  });
  return (
    <Section
      title="Leave this account"
      description="Somebody who stays would have to invite you again."
    >
      <Button variant="default" onClick={dialog.open}>
        Leave account
      </Button>
      <ConfirmDialog
        title={`Leave ${account.name}?`}
        opened={isOpen}
        onClose={dialog.close}
        confirm="Leave account"
        onConfirm={() => leave.mutate({ params: { account: account.id } })}
        isPending={leave.isPending}
        error={leave.error}
      >
        You can see nothing of {account.name} any more: its leads, keys and webhooks. They stay as
        they are.
      </ConfirmDialog>
    </Section>
  );
}
