import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { accountRoute } from '../../app/routes.tsx';
import { readOverviewSearch } from './range.ts';

export const overviewRoutes = [
  createRoute({
    getParentRoute: () => accountRoute,
    path: 'overview',
    validateSearch: readOverviewSearch,
    component: lazyRouteComponent(() => import('./OverviewPage.tsx'), 'OverviewPage'),
  }),
] as const;
