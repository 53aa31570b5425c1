import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { accountRoute } from '../../app/routes.tsx';

export const campaignRoutes = [
  createRoute({
    getParentRoute: () => accountRoute,
    path: 'campaigns',
    component: lazyRouteComponent(() => import('./CampaignsPage.tsx'), 'CampaignsPage'),
  }),
] as const;
