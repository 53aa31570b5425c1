import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { accountRoute } from '../../app/routes.tsx';

export const memberRoutes = [
  createRoute({
    getParentRoute: () => accountRoute,
    path: 'members',
    component: lazyRouteComponent(() => import('./MembersPage.tsx'), 'MembersPage'),
  }),
] as const;
