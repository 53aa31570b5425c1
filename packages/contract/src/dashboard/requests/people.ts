import Type from 'typebox';
import type { Role } from '../roles.ts';
import { body, email, linkToken, name, newPassword, password } from './parts.ts';

const code = Type.String({ minLength: 6, maxLength: 16 });

export const peopleRequests = {
  signIn: { body: body({ email, password }) },
  verifySecondFactor: { body: body({ code }) },
  askPasswordReset: { body: body({ email }) },
  finishPasswordReset: { body: body({ token: linkToken, password: newPassword }) },
  showInvitation: { body: body({ token: linkToken }) },
  joinAsNewPerson: { body: body({ token: linkToken, name, email, password: newPassword }) },
  joinAsMe: { body: body({ token: linkToken }) },
  changeMe: { body: body({ name }) },
  changePassword: { body: body({ current_password: password, new_password: newPassword }) },
  beginSecondFactor: { body: body({ password }) },
  confirmSecondFactor: { body: body({ code }) },
  endSecondFactor: { body: body({ password }) },
} as const;

export type Membership = { account_id: string; account_name: string; role: Role };

export type Me = {
  id: string;
  name: string;
  email: string;
  second_factor: boolean;
  /** Whether the service can send mail: without it links are shown to whoever makes them. */
  mail: boolean;
  accounts: Membership[];
};

export type Session = {
  id: string;
  created_at: string;
  last_used_at: string;
  address: string | null;
  user_agent: string | null;
  current: boolean;
};

/** What the holder of a link may see before joining. `email` is the one that was invited; null where the link is for anyone. */
export type ShownInvitation = {
  account_name: string;
  role: Role;
  email: string | null;
  /** Null: until it is used. */
  expires_at: string | null;
};

export type Done = { done: true };

export type PeopleAnswers = {
  /** `second_factor`: a code is to follow before there is a session. */
  signIn: { second_factor: boolean };
  verifySecondFactor: Done;
  signOut: Done;
  askPasswordReset: Done;
  finishPasswordReset: Done;
  showInvitation: ShownInvitation;
  joinAsNewPerson: { account_id: string };
  joinAsMe: { account_id: string };
  getMe: Me;
  changeMe: Me;
  changePassword: Done;
  listSessions: { sessions: Session[] };
  endSession: Done;
  /** `uri`: the otpauth address for an authenticator; `qr`: the same as a QR code, `path` that of an SVG `size` wide and high. */
  beginSecondFactor: {
    uri: string;
    secret: string;
    backup_codes: string[];
    qr: { size: number; path: string };
  };
  confirmSecondFactor: Done;
  endSecondFactor: Done;
};
