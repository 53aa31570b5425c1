import type { DashboardRoute } from '../route.ts';

/** An account's settings and its people. */
export const accountRoutes = {
  getAccount: { method: 'GET', path: '/accounts/:account', may: 'account.read' },
  changeAccount: { method: 'PATCH', path: '/accounts/:account', may: 'settings.change' },
  leaveAccount: { method: 'POST', path: '/accounts/:account/leave', may: 'account.read' },
  listMembers: { method: 'GET', path: '/accounts/:account/members', may: 'members.read' },
  changeMember: {
    method: 'PATCH',
    path: '/accounts/:account/members/:person',
    may: 'members.change',
  },
  removeMember: {
    method: 'DELETE',
    path: '/accounts/:account/members/:person',
    may: 'members.change',
  },
  listInvitations: { method: 'GET', path: '/accounts/:account/invitations', may: 'members.change' },
  invite: { method: 'POST', path: '/accounts/:account/invitations', may: 'members.change' },
  withdrawInvitation: {
    method: 'DELETE',
    path: '/accounts/:account/invitations/:invitation',
    may: 'members.change',
  },
} as const satisfies Record<string, DashboardRoute>;
