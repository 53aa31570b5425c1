import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { apiQuery, isSignedOut } from '../api/index.ts';
import { AccountLayout } from '../shell/AccountLayout.tsx';
import { Root } from '../shell/Root.tsx';
import { FirstPending } from '../shell/RoutePending.tsx';

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
});

/** What only somebody who is signed in may see; others are sent to sign in, and come back after it. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    try {
      await context.queryClient.ensureQueryData(apiQuery('getMe', {}));
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      throw redirect({ to: '/sign-in', search: { return: location.href } });
    }
  },
  pendingComponent: FirstPending,
  component: lazyRouteComponent(() => import('../shell/Shell.tsx'), 'Shell'),
});

/** The parent of every page of an account. */
export const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/a/$account',
  component: AccountLayout,
});
