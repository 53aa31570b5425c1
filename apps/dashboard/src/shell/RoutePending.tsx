import { Loading } from '../parts/index.ts';

export const RoutePending = () => <Loading />;
