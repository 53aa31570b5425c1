import type { Overview, Range } from '@leadwire/contract/dashboard';
import { SegmentedControl } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useApi, useLive } from '../../api/index.ts';
import { Loaded, PageHeader } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import { Attention } from './Attention.tsx';
import { DeliveryFigures } from './DeliveryFigures.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { LeadFigures } from './LeadFigures.tsx';
import { LiveBadge } from './LiveBadge.tsx';
import classes from './overview.module.css';
import { RefusedFigures } from './RefusedFigures.tsx';
import { RANGE_WORDS } from './range.ts';

// Time passes also where nothing happens: the bars move on.
const REFRESH_MS = 60_000;
const FEW_LEADS = 20;
const STEPS = ['listKeys', 'listWebhooks', 'listLeads'] as const;
const REFRESHES = {
  leads: ['getOverview', ...STEPS],
  requests: ['getOverview', ...STEPS],
  deliveries: ['getOverview', 'getAttention'],
} as const;

/** What happened in an account lately, and what needs somebody: current while it is looked at. */
export function OverviewPage() {
  const { id: account } = useAccount();
  const { range = 'day' } = useSearch({ from: '/signed-in/a/$account/overview' });
  const query = { params: { account }, query: { range } };
  const overview = useApi('getOverview', query, {
    keepPrevious: true,
    refetchInterval: REFRESH_MS,
  });
  const live = useLive(account, REFRESHES);
  return (
    <>
      <PageHeader
        title="Overview"
        badge={<LiveBadge state={live} />}
        actions={<RangeSwitch range={range} />}
      />
      <Attention />
      <Loaded query={overview}>
        {(figures) => (
          <div className={classes.page} data-stale={overview.isPlaceholderData || undefined}>
            {isYoung(figures) ? <FirstSteps /> : null}
            <LeadFigures overview={figures} />
            <div className={classes.columns}>
              <RefusedFigures overview={figures} />
              <DeliveryFigures overview={figures} />
            </div>
          </div>
        )}
      </Loaded>
    </>
  );
}

/** Only with few leads it is worth asking whether the account still is at its beginning. */
const isYoung = ({ leads: { totals, before } }: Overview): boolean =>
  totals.inserted + before.inserted < FEW_LEADS;

function RangeSwitch({ range }: { range: Range }) {
  const navigate = useNavigate({ from: '/a/$account/overview' });
  const show = (value: string) =>
    void navigate({ search: value === 'day' ? {} : { range: value as Range }, replace: true });
  return (
    <SegmentedControl
      aria-label="Range"
      size="sm"
      value={range}
      onChange={show}
      data={Object.entries(RANGE_WORDS).map(([value, { label }]) => ({ value, label }))}
    />
  );
}
