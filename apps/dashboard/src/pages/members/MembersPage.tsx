import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { PageHeader } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import { InvitationsSection } from './InvitationsSection.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { LeaveSection } from './LeaveSection.tsx';
import { MemberTable } from './MemberTable.tsx';

export function MembersPage() {
  const account = useAccount();
  const [isInviting, invite] = useDisclosure(false);
  const mayChange = account.may('members.change');
  return (
    <>
      <PageHeader
        title="Members"
        description={`Who may come into ${account.name}, and what they may do there.`}
        actions={mayChange ? <Button onClick={invite.open}>Invite</Button> : null}
      />
      <MemberTable />
      {mayChange ? <InvitationsSection /> : null}
      <LeaveSection />
      <InviteDialog opened={isInviting} onClose={invite.close} />
    </>
  );
}
