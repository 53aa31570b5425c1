import type { LeadStatus } from '@leadwire/contract';
import type { ShownLead } from '@leadwire/contract/dashboard';
import { NativeSelect } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { refresh, useChange } from '../../api/index.ts';
import { tellDone, tellError } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import type { LeadParams } from './LeadPage.tsx';
import { STATUSES } from './words.ts';

type Props = { lead: ShownLead; params: LeadParams };

/** The status of a lead, changed where it stands by those who may. */
export function StatusChange({ lead, params }: Props) {
  const account = useAccount();
  const client = useQueryClient();
  const change = useChange('editLead', {
    refreshes: ['getLead', 'getTimeline', 'listLeads'],
    onSuccess: ({ lead: { status } }) => tellDone(`Status is now ${STATUSES[status].label}`),
    onError(error) {
      tellError(error);
      // What somebody else made of it meanwhile is to be seen.
      refresh(client, ['getLead', 'getTimeline']);
    },
  });
  if (!account.may('leads.edit')) return STATUSES[lead.status].label;
  return (
    <NativeSelect
      aria-label="Status"
      size="xs"
      maw={160}
      value={change.isPending ? change.variables.body.changes.status : lead.status}
      disabled={change.isPending}
      onChange={({ currentTarget }) => {
        const status = currentTarget.value as LeadStatus;
        change.mutate({ params, body: { version: lead.version, changes: { status } } });
      }}
      data={Object.entries(STATUSES).map(([value, { label }]) => ({ value, label }))}
    />
  );
}
