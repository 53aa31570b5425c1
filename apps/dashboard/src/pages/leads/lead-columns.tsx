import type { LeadRow } from '@leadwire/contract/dashboard';
import { type Column, None, RelativeTime, StatusBadge, TextLink } from '../../parts/index.ts';
import classes from './leads.module.css';
import { nameOf, STATUSES } from './words.ts';

/** The columns of the list of leads; a phone shows who, status and when. */
export const columnsOf = (account: string): Column<LeadRow>[] => [
  {
    key: 'lead',
    header: 'Lead',
    isName: true,
    cell: (lead) => (
      <TextLink
        to="/a/$account/leads/$lead"
        params={{ account, lead: lead.id }}
        size="sm"
        className={classes.cut}
        title={nameOf(lead)}
      >
        {nameOf(lead)}
      </TextLink>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    cell: ({ status, erased_at }) =>
      erased_at ? (
        <StatusBadge>Erased</StatusBadge>
      ) : (
        <StatusBadge tone={STATUSES[status].tone}>{STATUSES[status].label}</StatusBadge>
      ),
  },
  {
    key: 'arrived',
    header: 'Arrived',
    cell: ({ created_at }) => (
      <span className={classes.when}>
        <RelativeTime value={created_at} />
      </span>
    ),
  },
  { key: 'phone', header: 'Phone', wide: true, cell: ({ phone }) => <Cut text={phone} /> },
  { key: 'email', header: 'Email', wide: true, cell: ({ email }) => <Cut text={email} /> },
  {
    key: 'external',
    header: 'External id',
    wide: true,
    cell: ({ external_lead_id }) => <Cut text={external_lead_id} />,
  },
  {
    key: 'campaign',
    header: 'Campaign',
    wide: true,
    align: 'right',
    cell: ({ campaign_id }) => campaign_id,
  },
  { key: 'source', header: 'Source', wide: true, cell: ({ source }) => <Cut text={source} /> },
];

const Cut = ({ text }: { text: string | null }) =>
  text ? (
    <span className={classes.cut} title={text}>
      {text}
    </span>
  ) : (
    <None />
  );
