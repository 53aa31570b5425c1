import type { DashboardRoute } from '../route.ts';

/** Sessions, passwords and second factors of people, and how they come in. */
export const peopleRoutes = {
  signIn: { method: 'POST', path: '/sign-in', may: 'anyone' },
  verifySecondFactor: { method: 'POST', path: '/sign-in/second-factor', may: 'anyone' },
  signOut: { method: 'POST', path: '/sign-out', may: 'person' },
  askPasswordReset: { method: 'POST', path: '/password-reset', may: 'anyone' },
  finishPasswordReset: { method: 'POST', path: '/password-reset/finish', may: 'anyone' },
  showInvitation: { method: 'POST', path: '/invitation', may: 'anyone' },
  joinAsNewPerson: { method: 'POST', path: '/invitation/sign-up', may: 'anyone' },
  joinAsMe: { method: 'POST', path: '/invitation/accept', may: 'person' },
  getMe: { method: 'GET', path: '/me', may: 'person' },
  changeMe: { method: 'PATCH', path: '/me', may: 'person' },
  changePassword: { method: 'POST', path: '/me/password', may: 'person' },
  listSessions: { method: 'GET', path: '/me/sessions', may: 'person' },
  endSession: { method: 'DELETE', path: '/me/sessions/:session', may: 'person' },
  beginSecondFactor: { method: 'POST', path: '/me/second-factor', may: 'person' },
  confirmSecondFactor: { method: 'POST', path: '/me/second-factor/confirm', may: 'person' },
  endSecondFactor: { method: 'POST', path: '/me/second-factor/end', may: 'person' },
} as const satisfies Record<string, DashboardRoute>;
