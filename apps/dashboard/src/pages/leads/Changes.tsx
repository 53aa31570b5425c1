import { Fragment } from 'react';
import { None } from '../../parts/index.ts';
import classes from './leads.module.css';
import { fieldName } from './words.ts';

type Change = { field: string; before: unknown; after: unknown };

const FOLDED_FROM = 160;

/** Fields with what they were and what they became, as text. `isFirst`: there was nothing before. */
export function Changes({ changes, isFirst }: { changes: readonly Change[]; isFirst?: boolean }) {
  return (
    <dl className={classes.changes}>
      {changes.flatMap(byMember).map(({ field, name, before, after }) => (
        <Fragment key={`${field} ${name}`}>
          <dt>
            {fieldName(field)}
            {name === undefined ? null : ` · ${name}`}
          </dt>
          <dd>
            {isFirst ? (
              <Value value={after} />
            ) : JSON.stringify(before) === JSON.stringify(after) ? (
              <None>Erased</None>
            ) : (
              <>
                <Value value={before} /> → <Value value={after} />
              </>
            )}
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** Of two objects the members that differ, each by itself. */
function byMember({ field, before, after }: Change): (Change & { name?: string })[] {
  if (!isObject(before) || !isObject(after)) return [{ field, before, after }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const different = names
    .map((name) => ({ field, name, before: own(before, name), after: own(after, name) }))
    .filter((member) => JSON.stringify(member.before) !== JSON.stringify(member.after));
  return different.length > 0 ? different : [{ field, before, after }];
}

const own = (value: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function Value({ value }: { value: unknown }) {
  if (value === null || value === '' || value === undefined) return <None>empty</None>;
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 1);
  if (text.length <= FOLDED_FROM) return <span className={classes.value}>{text}</span>;
  return (
    <details className={classes.fold}>
      <summary>{`${text.slice(0, 60).toWellFormed()}…`}</summary>
      <span className={classes.value}>{text}</span>
    </details>
  );
}
