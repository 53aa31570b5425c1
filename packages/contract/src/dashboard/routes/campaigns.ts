import type { DashboardRoute } from '../route.ts';

export const campaignRoutes = {
  listCampaigns: { method: 'GET', path: '/accounts/:account/campaigns', may: 'campaigns.read' },
  createCampaign: { method: 'POST', path: '/accounts/:account/campaigns', may: 'campaigns.change' },
  changeCampaign: {
    method: 'PATCH',
    path: '/accounts/:account/campaigns/:campaign',
    may: 'campaigns.change',
  },
} as const satisfies Record<string, DashboardRoute>;
