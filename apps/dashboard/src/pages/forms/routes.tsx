import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { accountRoute } from '../../app/routes.tsx';

export const formRoutes = [
  createRoute({
    getParentRoute: () => accountRoute,
    path: 'forms',
    component: lazyRouteComponent(() => import('./FormsPage.tsx'), 'FormsPage'),
  }),
  createRoute({
    getParentRoute: () => accountRoute,
    path: 'forms/$form',
    component: lazyRouteComponent(() => import('./FormPage.tsx'), 'FormPage'),
  }),
] as const;
