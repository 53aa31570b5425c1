import Type from 'typebox';
import { FEATURES, type Feature } from '../../names.ts';
import { ROLES, type Role } from '../roles.ts';
import { body, email, name, oneOf } from './parts.ts';
import type { Done } from './people.ts';

const features = Type.Object(
  Object.fromEntries(FEATURES.map((feature) => [feature, Type.Optional(Type.Boolean())])) as Record<
    Feature,
    ReturnType<typeof Type.Optional<ReturnType<typeof Type.Boolean>>>
  >,
  { additionalProperties: false },
);

export const accountRequests = {
  changeAccount: { body: body({ name: Type.Optional(name), features: Type.Optional(features) }) },
  changeMember: { body: body({ role: oneOf(ROLES) }) },
  /** Without an address the link is for whoever holds it. */
  invite: { body: body({ email: Type.Optional(email), role: oneOf(ROLES) }) },
} as const;

export type Account = {
  id: string;
  name: string;
  created_at: string;
  /** `off_everywhere`: switched off for the whole deployment, which an account cannot change. */
  features: { feature: Feature; on: boolean; off_everywhere: boolean }[];
  retention: { attempt_days: number; refused_requests: number };
};

export type Member = {
  id: string;
  name: string;
  email: string;
  role: Role;
  second_factor: boolean;
  joined_at: string;
};

export type Invitation = {
  id: string;
  email: string | null;
  role: Role;
  invited_by: string | null;
  created_at: string;
  /** Null: until it is used. */
  expires_at: string | null;
};

export type AccountAnswers = {
  getAccount: Account;
  changeAccount: Account;
  leaveAccount: Done;
  listMembers: { members: Member[] };
  changeMember: Member;
  removeMember: Done;
  listInvitations: { invitations: Invitation[] };
  /** `link`: null where it was sent by mail; else it is shown here, and never again. */
  invite: { invitation: Invitation; link: string | null };
  withdrawInvitation: Done;
};
