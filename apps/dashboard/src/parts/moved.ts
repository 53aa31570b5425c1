import { createContext, type RefObject } from 'react';

/** Whether the person came to this page from another one; false on the first, where focus stays where browsers put it. */
export const MovedContext = createContext<RefObject<boolean> | null>(null);

/** Moves the focus to the heading of the page that the person has come to, once. */
export function focusHeading(heading: HTMLElement | null, moved: RefObject<boolean> | null): void {
  if (!moved?.current || !heading) return;
  moved.current = false;
  heading.focus({ preventScroll: true });
}
