import Type from 'typebox';
import type { CampaignState } from '../../names.ts';
import { body, name, oneOf } from './parts.ts';

export const campaignRequests = {
  createCampaign: { body: body({ name }) },
  changeCampaign: {
    body: body({
      name: Type.Optional(name),
      state: Type.Optional(oneOf(['active', 'paused'] as const)),
    }),
  },
} as const;

export type Campaign = {
  id: number;
  name: string;
  state: CampaignState;
  created_at: string;
  updated_at: string;
  /** Leads that it has, and how many came in the last 24 hours. */
  leads: number;
  leads_last_day: number;
};

export type CampaignAnswers = {
  listCampaigns: { campaigns: Campaign[] };
  createCampaign: Campaign;
  changeCampaign: Campaign;
};
