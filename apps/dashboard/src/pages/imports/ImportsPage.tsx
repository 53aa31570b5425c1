import type { Import } from '@leadwire/contract/dashboard';
import { Button } from '@mantine/core';
import { FileUp } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useApi } from '../../api/index.ts';
import { DataTable, EmptyState, Loaded, PageHeader } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import { columnsOf } from './import-columns.tsx';
import { NewImport } from './NewImport.tsx';
import { isUnderWay } from './words.ts';

const RUNNING_MS = 1_500;
const CALM_MS = 15_000;

/** The newest imports of the account, and how far they are. */
export function ImportsPage() {
  const account = useAccount();
  const [isAdding, setIsAdding] = useState(false);
  const imports = useApi(
    'listImports',
    { params: { account: account.id } },
    { refetchInterval: ({ state: { data } }) => pauseAfter(data?.imports) },
  );
  const add = account.may('imports.run') && (
    <Button leftSection={<FileUp size={16} aria-hidden />} onClick={() => setIsAdding(true)}>
      Import a file
    </Button>
  );
  const isFilled = (imports.data?.imports.length ?? 0) > 0;
  return (
    <>
      <PageHeader
        title="Imports"
        description="Leads from spreadsheets and exports of other systems, as CSV files. Each row is checked like a lead that a partner posts."
        actions={isFilled && add}
      />
      <Loaded query={imports}>
        {({ imports: rows }) =>
          rows.length === 0 ? (
            <Empty action={add} />
          ) : (
            <DataTable
              label="List of imports"
              columns={columnsOf(account.id)}
              rows={rows}
              rowKey={({ id }) => id}
            />
          )
        }
      </Loaded>
      <NewImport opened={isAdding} onClose={() => setIsAdding(false)} />
    </>
  );
}

const pauseAfter = (imports: Import[] = []): number =>
  imports.some(isUnderWay) ? RUNNING_MS : CALM_MS;

const Empty = ({ action }: { action: ReactNode }) => (
  <EmptyState title="No imports yet" icon={<FileUp size={28} />} action={action}>
    {action
      ? 'Save a spreadsheet as CSV and choose it here. You see how it is read, and which rows are bad, before anything is written.'
      : 'A member of the account can import leads from a CSV file.'}
  </EmptyState>
);
