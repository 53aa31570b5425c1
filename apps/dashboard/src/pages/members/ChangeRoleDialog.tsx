import type { Member, Role } from '@leadwire/contract/dashboard';
import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/index.ts';
import { Dialog, ErrorState, FormActions, tellDone } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import classes from './members.module.css';
import { roleOptions } from './roles.ts';

export function ChangeRoleDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const account = useAccount();
  const [role, setRole] = useState<Role>(member.role);
  const change = useChange('changeMember', {
    // One's own role too.
    refreshes: ['listMembers', 'getMe'],
    onSuccess: () => {
      onClose();
      tellDone(`${member.name} is ${role} now`);
    },
  });
  return (
    <Dialog title={`Role of ${member.name}`} opened onClose={onClose}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate({ params: { account: account.id, person: member.id }, body: { role } });
        }}
      >
        {change.error ? <ErrorState error={change.error} /> : null}
        <NativeSelect
          label={`Role in ${account.name}`}
          data={roleOptions(account)}
          value={role}
          data-autofocus
          onChange={(event) => setRole(event.currentTarget.value as Role)}
        />
        <FormActions
          submit="Change role"
          onCancel={onClose}
          isPending={change.isPending}
          isDisabled={role === member.role}
        />
      </form>
    </Dialog>
  );
}
