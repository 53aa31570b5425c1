import type { ImportPreview } from '@leadwire/contract/dashboard';
import { type Column, DataTable, None } from '../../parts/index.ts';
import classes from './imports.module.css';

const ROWS = 5;
const EMPTY_ROWS = 'No rows below the header';

type Row = { key: string; cells: string[] };
type Props = { preview: ImportPreview; isStale: boolean };

/** The first rows of a file under their headers. */
export function PreviewTable({ preview, isStale }: Props) {
  const rows = preview.rows.slice(0, ROWS).map((cells, index) => ({ key: `${index}`, cells }));
  if (rows.length === 0) return <None>{EMPTY_ROWS}</None>;
  return (
    <DataTable
      label="First rows of the file"
      columns={columnsOf(preview.columns)}
      rows={rows}
      rowKey={({ key }) => key}
      isStale={isStale}
    />
  );
}

const columnsOf = (headers: string[]): Column<Row>[] =>
  headers.map((header, index) => ({
    key: `${index}`,
    header: header || `Column ${index + 1}`,
    cell: ({ cells }) => <span className={classes.cell}>{cells[index]}</span>,
  }));
