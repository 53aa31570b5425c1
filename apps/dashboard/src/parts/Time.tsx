import { useEffect, useState } from 'react';
import { exactUtc, relativeTime } from './relative-time.ts';

const TICK_MS = 30_000;

const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** A time in the reader's zone; its exact UTC on hovering. */
export const Timestamp = ({ value }: { value: string }) => (
  <time dateTime={value} title={exactUtc(value)}>
    {local.format(new Date(value))}
  </time>
);

/** How long ago, kept current; its exact UTC on hovering. */
export function RelativeTime({ value }: { value: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={value} title={exactUtc(value)}>
      {relativeTime(value, now)}
    </time>
  );
}
