import type { ShownLead } from '@leadwire/contract/dashboard';
import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { refresh, useChange } from '../../api/index.ts';
import { ConfirmDialog, tellDone } from '../../parts/index.ts';
import type { LeadParams } from './LeadPage.tsx';
import { nameOf } from './words.ts';

type Props = { lead: ShownLead; params: LeadParams; opened: boolean; onClose: () => void };

/** Asks before a person's data is erased, and says what goes and what stays. */
export function EraseLead({ lead, params, opened, onClose }: Props) {
  const client = useQueryClient();
  const erase = useChange('eraseLead', {
    refreshes: ['getLead', 'getTimeline', 'listLeads'],
    onSuccess() {
      tellDone('Personal data erased');
      onClose();
    },
    // Confirmed again, it is erased as it is by then.
    onError: () => refresh(client, ['getLead', 'getTimeline']),
  });
  return (
    <ConfirmDialog
      title={`Erase the personal data of ${nameOf(lead)}?`}
      opened={opened}
      onClose={() => {
        erase.reset();
        onClose();
      }}
      confirm="Erase personal data"
      typed="erase"
      onConfirm={() => erase.mutate({ params, body: { version: lead.version } })}
      isPending={erase.isPending}
      error={erase.error}
    >
      <Text size="sm" mb="xs">
        Lost for good: phone, email, name, address, form address and custom fields, here and in
        every earlier record of this lead, and what endpoints answered when they were told of it.
      </Text>
      <Text size="sm" mb="xs">
        Kept as proof: consent and its words, source, status, campaign and external id; and who
        changed which field when.
      </Text>
      <Text size="sm">
        Webhooks are told by a lead.updated event with these fields empty. Systems that were told
        before keep their own copies, and so do backups of this service.
      </Text>
    </ConfirmDialog>
  );
}
