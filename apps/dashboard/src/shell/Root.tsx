import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { focusHeading, MovedContext } from '../parts/moved.ts';

/** Around every page: notices that the person has moved on, so that the new page's heading takes the focus. */
export function Root() {
  const router = useRouter();
  const moved = useRef(false);
  useEffect(() => {
    const ends = [
      router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged) moved.current = true;
      }),
      // The same page at another address keeps its heading.
      router.subscribe('onRendered', () => focusHeading(document.querySelector('h1'), moved)),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [router]);
  return (
    <MovedContext value={moved}>
      <Outlet />
    </MovedContext>
  );
}
