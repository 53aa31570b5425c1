import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { accountRoute } from '../../app/routes.tsx';

export const settingsRoutes = [
  createRoute({
    getParentRoute: () => accountRoute,
    path: 'settings',
    component: lazyRouteComponent(() => import('./SettingsPage.tsx'), 'SettingsPage'),
  }),
] as const;
