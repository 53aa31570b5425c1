import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute, signedInRoute } from '../../app/routes.tsx';
import { isOwnPath } from './own-path.ts';

/** How people come in. Tokens of links stand in the fragment, which no server and no log sees. */
export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { return?: string } =>
    typeof search.return === 'string' && isOwnPath(search.return) ? { return: search.return } : {},
  component: lazyRouteComponent(() => import('./SignInPage.tsx'), 'SignInPage'),
});

const joinRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/join',
  component: lazyRouteComponent(() => import('./JoinPage.tsx'), 'JoinPage'),
});

const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset',
  component: lazyRouteComponent(() => import('./ResetPage.tsx'), 'ResetPage'),
});

export const entryRoutes = [signInRoute, joinRoute, resetRoute] as const;

export const homeRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./HomePage.tsx'), 'HomePage'),
  }),
] as const;
