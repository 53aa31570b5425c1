import { ExternalLink } from 'lucide-react';
import { version } from '../../package.json';
import classes from './shell.module.css';

/** At the foot of the navigation: what this is, and where it is explained. */
export const About = () => (
  <p className={classes.about}>
    <a href="/docs" target="_blank" rel="noreferrer">
      Guides <ExternalLink size={11} aria-label="opens a new tab" />
    </a>
    <span>Leadwire {version}</span>
  </p>
);
