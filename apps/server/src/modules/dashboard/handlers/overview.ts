import type { OverviewAnswers } from '@leadwire/contract/dashboard';
import { createShared, type FairQueue } from '../../../platform/grouping/index.ts';
import type { Attention } from '../../attention/index.ts';
import type { Statistics } from '../../statistics/index.ts';
import type { DashboardHandlers } from '../request.ts';

type Deps = {
  statistics: Pick<Statistics, 'overview'>;
  attention: Attention;
  /** Sums of many rows: of an account one at a time. */
  heavyFigures: FairQueue;
};

/** Figures of an account. All who watch it ask at the same moments, and share one answer. */
export function overviewHandlers({
  statistics,
  attention,
  heavyFigures,
}: Deps): DashboardHandlers<keyof OverviewAnswers> {
  const shared = createShared();
  return {
    getOverview: ({ accountId, query: { range = 'day' } }) =>
      shared(`${accountId} ${range}`, () =>
        heavyFigures(accountId, () => statistics.overview({ accountId, range })),
      ),
    getAttention: async ({ accountId }) => ({ items: await attention.list(accountId) }),
  };
}
