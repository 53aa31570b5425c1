import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { campaignRoutes } from '../pages/campaigns/routes.tsx';
import { entryRoutes, homeRoutes } from '../pages/entry/routes.tsx';
import { keyRoutes } from '../pages/keys/routes.tsx';
import { leadRoutes } from '../pages/leads/routes.tsx';
import { memberRoutes } from '../pages/members/routes.tsx';
import { overviewRoutes } from '../pages/overview/routes.tsx';
import { profileRoutes } from '../pages/profile/routes.tsx';
import { referenceRoutes } from '../pages/reference/routes.tsx';
import { settingsRoutes } from '../pages/settings/routes.tsx';
import { signatureCheckRoutes } from '../pages/signature-check/routes.tsx';
import { webhookRoutes } from '../pages/webhooks/routes.tsx';
import { NotFound } from '../shell/NotFound.tsx';
import { RouteError } from '../shell/RouteError.tsx';
import { RoutePending } from '../shell/RoutePending.tsx';
import { accountRoute, rootRoute, signedInRoute } from './routes.tsx';

const PENDING_AFTER_MS = 150;

const routeTree = rootRoute.addChildren([
  ...entryRoutes,
  signedInRoute.addChildren([
    ...homeRoutes,
    ...profileRoutes,
    accountRoute.addChildren([
      ...overviewRoutes,
      ...leadRoutes,
      ...campaignRoutes,
      ...keyRoutes,
      ...webhookRoutes,
      ...memberRoutes,
      ...settingsRoutes,
      ...referenceRoutes,
      ...signatureCheckRoutes,
    ]),
  ]),
]);

export function createPageRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPendingMs: PENDING_AFTER_MS,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: RouteError,
    defaultPendingComponent: RoutePending,
    scrollRestoration: true,
  });
}

export type PageRouter = ReturnType<typeof createPageRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: PageRouter;
  }
}

const ENTRY = new Set(['/sign-in', '/join', '/reset']);

/** Forgets what was read for whoever was signed in, and asks to sign in; they come back to where they are. */
export function goToSignIn(router: PageRouter, queryClient: QueryClient): void {
  const { pathname, href } = router.latestLocation;
  if (ENTRY.has(pathname)) return;
  queryClient.clear();
  void router.navigate({ to: '/sign-in', search: { return: href }, replace: true });
}
