import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { accountRoute } from '../../app/routes.tsx';

export const referenceRoutes = [
  createRoute({
    getParentRoute: () => accountRoute,
    path: 'reference',
    validateSearch: ({ q }: Record<string, unknown>): { q?: string } =>
      q === undefined || q === '' ? {} : { q: String(q) },
    component: lazyRouteComponent(() => import('./ReferencePage.tsx'), 'ReferencePage'),
  }),
] as const;
