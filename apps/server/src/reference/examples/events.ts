import { LEAD_EXAMPLES } from './leads.ts';

const { stored } = LEAD_EXAMPLES;
const NEXT = 'MzIxLjAxOWJjMWE1LThmM2MtN2E4MC1iNmUyLWQ0ZjYwNzE4MjkzYQ';

const created = {
  id: 'evt_019bc1a58f3c7a80b6e2d4f60718293a',
  type: 'lead.created',
  timestamp: stored.created_at,
  account_id: stored.account_id,
  data: { lead: stored, changed: [] },
};

export const eventFeedAnswers = {
  200: {
    page: {
      summary: 'More exist: ask again at once',
      value: { data: [created], nextCursor: NEXT, hasMore: true },
    },
    end: {
      summary: 'Nothing new: ask again later, with the same cursor',
      value: { data: [], nextCursor: NEXT, hasMore: false },
    },
  },
};
