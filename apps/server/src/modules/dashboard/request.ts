import type { Readable } from 'node:stream';
import type {
  DashboardApi,
  DashboardDownloads,
  DashboardRouteName,
  DashboardRoutes,
  Permission,
  Role,
  streamRoutes,
} from '@leadwire/contract/dashboard';

/** Who a session belongs to. */
export type Person = { id: string; sessionId: string; name: string; email: string };

/** What every handler gets, whoever asks. */
type Everyone = {
  requestId: string;
  /** The address that the request came from. */
  address: string;
  headers: Headers;
  /** Adds cookies to the answer. */
  setCookies(cookies: readonly string[]): void;
};

type Asker<May> = May extends 'anyone'
  ? unknown
  : May extends Permission
    ? { person: Person; accountId: string; role: Role }
    : { person: Person };

/** A request of the dashboard that was let in, with its query and body checked. */
export type DashboardRequest<Name extends DashboardRouteName> = Everyone &
  Asker<DashboardRoutes[Name]['may']> &
  Pick<DashboardApi[Name], 'params' | 'query'> & { body: Received<DashboardApi[Name]['body']> };

/** What the page sends as a Blob arrives as bytes. */
type Received<Body> = Blob extends Body ? Buffer : Body;

export type DashboardHandlers<Names extends DashboardRouteName = DashboardRouteName> = {
  [Name in Names]: (request: DashboardRequest<Name>) => Promise<DashboardApi[Name]['answer']>;
};

/** The routes that answer with a stream, by name. `stillMay`: whether the one who asked would still be let in. */
export type DashboardStreams = {
  [Name in keyof typeof streamRoutes]: (request: {
    person: Person;
    accountId: string;
    stillMay(): Promise<boolean>;
  }) => Readable;
};

/** The routes that answer with a file, by name. `fileName` is plain ASCII. `stillMay`: whether the one who asked would still be let in. */
export type DashboardDownloadHandlers = {
  [Name in keyof DashboardDownloads]: (
    request: DashboardDownloads[Name] & {
      person: Person;
      accountId: string;
      stillMay(): Promise<boolean>;
    },
  ) => Promise<{ fileName: string; type: string; stream: Readable }>;
};
