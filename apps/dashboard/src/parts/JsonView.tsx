import classes from './parts.module.css';
import { ScrollBox } from './ScrollBox.tsx';

/** A value as JSON text; what was stored as markup shows as it was written. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  return (
    <ScrollBox className={classes.json} label={label}>
      <pre>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>
    </ScrollBox>
  );
}
