import type { ShownLead } from '@leadwire/contract/dashboard';
import { Alert, Button } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi, useLive } from '../../api/index.ts';
import { BackLink, Loaded, PageHeader, StatusBadge, Timestamp } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import { ConsentEvidence } from './ConsentEvidence.tsx';
import { EditLead } from './EditLead.tsx';
import { EraseLead } from './EraseLead.tsx';
import { LeadFields } from './LeadFields.tsx';
import { Timeline } from './Timeline.tsx';
import { nameOf, STATUSES } from './words.ts';

export type LeadParams = { account: string; lead: string };

/** One lead: all its fields, what may be done with it, and what happened to it. */
export function LeadPage() {
  const account = useAccount();
  const { lead: id = '' } = useParams({ strict: false });
  const params = { account: account.id, lead: id };
  useLive(account.id, {
    leads: ['getLead', 'getTimeline', 'listConsents'],
    deliveries: ['getTimeline'],
  });
  const query = useApi('getLead', { params });
  return (
    <Loaded query={query}>
      {(lead) => (
        <>
          <Head {...{ lead, params }} />
          {lead.erased_at && <ErasedNote at={lead.erased_at} />}
          <LeadFields {...{ lead, params }} />
          <ConsentEvidence params={params} />
          <Timeline params={params} />
        </>
      )}
    </Loaded>
  );
}

type Props = { lead: ShownLead; params: LeadParams };

function Head({ lead, params }: Props) {
  const account = useAccount();
  const [open, setOpen] = useState<'edit' | 'erase' | null>(null);
  const close = () => setOpen(null);
  const { label, tone } = STATUSES[lead.status];
  const mayErase = account.may('leads.erase') && !lead.erased_at;
  return (
    <>
      <PageHeader
        title={nameOf(lead)}
        badge={<StatusBadge tone={tone}>{label}</StatusBadge>}
        back={
          <BackLink to="/a/$account/leads" params={{ account: account.id }}>
            Leads
          </BackLink>
        }
        actions={
          <>
            {account.may('leads.edit') && (
              <Button variant="default" onClick={() => setOpen('edit')}>
                Edit
              </Button>
            )}
            {mayErase && (
              <Button variant="default" onClick={() => setOpen('erase')}>
                Erase personal data
              </Button>
            )}
          </>
        }
      />
      <EditLead {...{ lead, params }} opened={open === 'edit'} onClose={close} />
      <EraseLead {...{ lead, params }} opened={open === 'erase'} onClose={close} />
    </>
  );
}

const ErasedNote = ({ at }: { at: string }) => (
  <Alert color="gray" mb="lg" title="Personal data erased">
    On request, <Timestamp value={at} />. If a partner posts this lead again, what they send is kept
    as new data.
  </Alert>
);
