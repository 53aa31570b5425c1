import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { accountRoute } from '../../app/routes.tsx';

export const signatureCheckRoutes = [
  createRoute({
    getParentRoute: () => accountRoute,
    path: 'signature-check',
    component: lazyRouteComponent(() => import('./SignatureCheckPage.tsx'), 'SignatureCheckPage'),
  }),
] as const;
