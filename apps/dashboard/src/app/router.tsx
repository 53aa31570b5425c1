import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { campaignRoutes } from '../pages/campaigns/routes.tsx';
import { entryRoutes, homeRoutes } from '../pages/entry/routes.tsx';
import { formRoutes } from '../pages/forms/routes.tsx';
import { importRoutes } from '../pages/imports/routes.tsx';
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
import { isSessionEnded, setSessionEnded } from '../shell/session-end.ts';
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
      ...formRoutes,
      ...importRoutes,
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

/**
 * Asks to sign in: over the page where something was being written, which would be lost; else forgets what was read for
 * whoever was signed in, and they come back to where they are.
 */
export function askToSignIn(
  router: PageRouter,
  queryClient: QueryClient,
  wasChange: boolean,
): void {
  const { pathname, href } = router.latestLocation;
  if (ENTRY.has(pathname) || isSessionEnded(queryClient)) return;
  if (wasChange || document.querySelector('[role="dialog"] form')) {
    setSessionEnded(queryClient, true);
    return;
  }
  queryClient.clear();
  void router.navigate({ to: '/sign-in', search: { return: href }, replace: true });
}
