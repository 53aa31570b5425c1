import classes from './parts.module.css';

/** A value as JSON text; what was stored as markup shows as it was written. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className={classes.json} tabIndex={0} role="group" aria-label={label}>
      <pre>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>
    </div>
  );
}
