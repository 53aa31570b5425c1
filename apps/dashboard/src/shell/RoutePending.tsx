import { Loading } from '../parts/index.ts';
import classes from './shell.module.css';

export const RoutePending = () => <Loading />;

/** While not even the frame around the pages is there. */
export const FirstPending = () => (
  <div className={classes.page}>
    <Loading />
  </div>
);
