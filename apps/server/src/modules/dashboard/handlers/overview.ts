import type { OverviewAnswers } from '@leadwire/contract/dashboard';
import type { Attention } from '../../attention/index.ts';
import type { Statistics } from '../../statistics/index.ts';
import type { DashboardHandlers } from '../request.ts';

type Deps = { statistics: Pick<Statistics, 'overview'>; attention: Attention };

export const overviewHandlers = ({
  statistics,
  attention,
}: Deps): DashboardHandlers<keyof OverviewAnswers> => ({
  getOverview: ({ accountId, query }) =>
    statistics.overview({ accountId, range: query.range ?? 'day' }),
  getAttention: async ({ accountId }) => ({ items: await attention.list(accountId) }),
});
