import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { accountRoute } from '../../app/routes.tsx';
import { readDeliveriesSearch } from './search.ts';

export const webhookRoutes = [
  createRoute({
    getParentRoute: () => accountRoute,
    path: 'webhooks',
    component: lazyRouteComponent(() => import('./WebhooksPage.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => accountRoute,
    path: 'webhooks/$webhook',
    validateSearch: readDeliveriesSearch,
    component: lazyRouteComponent(() => import('./WebhookPage.tsx'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => accountRoute,
    path: 'webhooks/$webhook/deliveries/$delivery',
    component: lazyRouteComponent(() => import('./DeliveryPage.tsx'), 'DeliveryPage'),
  }),
] as const;
