import type { CampaignAnswers, Campaign as ShownCampaign } from '@leadwire/contract/dashboard';
import { notFound } from '../../../platform/errors/index.ts';
import type { FairQueue } from '../../../platform/grouping/index.ts';
import type { Campaign, Campaigns } from '../../campaigns/index.ts';
import type { Statistics } from '../../statistics/index.ts';
import type { DashboardHandlers } from '../request.ts';

type Deps = {
  campaigns: Campaigns;
  statistics: Pick<Statistics, 'campaignTotals'>;
  heavyFigures: FairQueue;
  /** Told after a change that has an event. */
  onMoved: (accountId: string) => void;
};

type Totals = Awaited<ReturnType<Statistics['campaignTotals']>>;

/** Campaigns with how many leads they have. */
export function campaignHandlers({
  campaigns,
  statistics,
  heavyFigures,
  onMoved,
}: Deps): DashboardHandlers<keyof CampaignAnswers> {
  const totalsOf = (accountId: string) =>
    heavyFigures(accountId, () => statistics.campaignTotals(accountId));
  return {
    async listCampaigns({ accountId }) {
      const [list, totals] = await Promise.all([campaigns.list(accountId), totalsOf(accountId)]);
      return { campaigns: list.map((campaign) => withTotals(campaign, totals)) };
    },

    async createCampaign({ accountId, body }) {
      return withTotals(await campaigns.create(accountId, body.name), new Map());
    },

    async changeCampaign({ accountId, params, body }) {
      const campaign = await campaigns.change(accountId, readId(params.campaign), body);
      if (campaign.moved) onMoved(accountId);
      return withTotals(campaign, await totalsOf(accountId));
    },
  };
}

function withTotals(campaign: Campaign, totals: Totals): ShownCampaign {
  const { id, name, state, created_at, updated_at } = campaign;
  const { leads = 0, lastDay = 0 } = totals.get(id) ?? {};
  return { id, name, state, created_at, updated_at, leads, leads_last_day: lastDay };
}

/** @throws AppError 404 for what is no id, as for one that is not there */
function readId(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text) || Number(text) > 2_147_483_647) throw notFound();
  return Number(text);
}
