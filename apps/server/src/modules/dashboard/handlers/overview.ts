import type { Feature } from '@leadwire/contract';
import type { AttentionItem, OverviewAnswers } from '@leadwire/contract/dashboard';
import { createShared, type FairQueue } from '../../../platform/grouping/index.ts';
import type { Attention } from '../../attention/index.ts';
import type { Statistics } from '../../statistics/index.ts';
import type { DashboardHandlers } from '../request.ts';

type Deps = {
  statistics: Pick<Statistics, 'overview'>;
  attention: Attention;
  /** Of the account and of the deployment. */
  featuresOff(accountId: string): Promise<readonly Feature[]>;
  /** Sums of many rows: of an account one at a time. */
  heavyFigures: FairQueue;
};

/** Figures of an account. All who watch it ask at the same moments, and share one answer. */
export function overviewHandlers({
  statistics,
  attention,
  featuresOff,
  heavyFigures,
}: Deps): DashboardHandlers<keyof OverviewAnswers> {
  const shared = createShared();
  return {
    getOverview: ({ accountId, query: { range = 'day' } }) =>
      shared(`${accountId} ${range}`, () =>
        heavyFigures(accountId, () => statistics.overview({ accountId, range })),
      ),
    async getAttention({ accountId }) {
      const [off, items] = await Promise.all([featuresOff(accountId), attention.list(accountId)]);
      const closed: AttentionItem[] = off.includes('insertion') ? [{ kind: 'insertion_off' }] : [];
      return { items: [...closed, ...items] };
    },
  };
}
