import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink, type LinkComponent } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import type { AnchorHTMLAttributes, ReactNode, RefAttributes } from 'react';
import classes from './parts.module.css';

type Html = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'style' | 'color'> &
  RefAttributes<HTMLAnchorElement>;

const AnchorBase = (props: AnchorProps & Html) => <Anchor {...props} />;
const ButtonBase = (props: ButtonProps & Html) => <Button component="a" {...props} />;
const BackBase = ({ children, ...props }: Html & { children?: ReactNode }) => (
  <a {...props} className={classes.back}>
    <ChevronLeft size={14} aria-hidden />
    {children}
  </a>
);

const LinkedAnchor = createLink(AnchorBase);
const LinkedButton = createLink(ButtonBase);
const LinkedBack = createLink(BackBase);

/** A link to a page of ours, typed by its route. */
export const TextLink: LinkComponent<typeof AnchorBase> = (props) => <LinkedAnchor {...props} />;

/** The same, looking like a button. */
export const ButtonLink: LinkComponent<typeof ButtonBase> = (props) => <LinkedButton {...props} />;

/** The same, to the page above this one. */
export const BackLink: LinkComponent<typeof BackBase> = (props) => <LinkedBack {...props} />;
