import type { Member } from '@leadwire/contract/dashboard';
import { useChange } from '../../api/index.ts';
import { ConfirmDialog, tellDone } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';

export function RemoveMemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const account = useAccount();
  const remove = useChange('removeMember', {
    refreshes: ['listMembers'],
    onSuccess: () => {
      onClose();
      tellDone(`${member.name} is no longer a member`);
    },
  });
  return (
    <ConfirmDialog
      title={`Remove ${member.name}?`}
      opened
      onClose={onClose}
      confirm="Remove member"
      onConfirm={() => remove.mutate({ params: { account: account.id, person: member.id } })}
      isPending={remove.isPending}
      error={remove.error}
    >
      {member.name} ({member.email}) can see nothing of {account.name} any more. API keys and
      webhooks that they made go on working, and what they did stays in the timelines of leads.
    </ConfirmDialog>
  );
}
