import icon from '../app/icon.svg';
import classes from './shell.module.css';

export const Brand = () => (
  <span className={classes.name}>
    <img src={icon} alt="" width={22} height={22} />
    Leadwire
  </span>
);
