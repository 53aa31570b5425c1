import type { ReactNode } from 'react';
import classes from './parts.module.css';
import { ScrollBox } from './ScrollBox.tsx';

export type Column<Row> = {
  /** Unique in its table. */
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Numbers stand at the right. */
  align?: 'right';
  /** Left out on phones, where the row's own page shows it. */
  wide?: boolean;
  /** What names the row: its cell is the row's header. */
  isName?: boolean;
};

type Props<Row> = {
  /** Names the table for those who do not see it. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Pale while the next rows are on their way. */
  isStale?: boolean;
};

/** A real table; where it is wider than the page it scrolls inside its own box. */
export function DataTable<Row>({ label, columns, rows, rowKey, isStale }: Props<Row>) {
  return (
    <ScrollBox className={classes.tableBox} label={label}>
      <table className={classes.table} aria-busy={isStale || undefined}>
        <caption className={classes.unseen}>{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" {...cellProps(column)}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column) => (
                <Cell key={column.key} {...{ column, row }} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const content = column.cell(row);
  if (!column.isName) return <td {...cellProps(column)}>{content}</td>;
  return (
    <th scope="row" {...cellProps(column)}>
      {content}
    </th>
  );
}

const cellProps = <Row,>({ align, wide }: Column<Row>) => ({
  'data-align': align,
  'data-wide': wide || undefined,
});
