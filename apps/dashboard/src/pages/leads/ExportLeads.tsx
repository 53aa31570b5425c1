import { downloadRoutes } from '@leadwire/contract/dashboard';
import { Button, Stack, Text } from '@mantine/core';
import { Download } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { addressOf } from '../../api/index.ts';
import { Dialog, DialogActions } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import { isFiltered, type LeadsSearch, queryOf } from './search.ts';

/** Offers every lead of the filter as a file, not only those of the page that is shown. */
export function ExportLeads({ search }: { search: LeadsSearch }) {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<Download size={16} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        Export
      </Button>
      <Dialog title="Export leads" {...{ opened, onClose: close }}>
        <Stack gap="md">
          <Text size="sm">
            {isFiltered(search)
              ? 'The file holds every lead that matches the search and filters of the list, newest first.'
              : 'The file holds every lead of the account, newest first. To export some of them, set filters on the list first.'}
          </Text>
          <Format {...{ search, format: 'csv', onTaken: close }} title="CSV, for spreadsheets">
            One row for each lead, custom fields as JSON in one cell. Cells that a spreadsheet would
            run as a formula, phone numbers among them, begin with an apostrophe.
          </Format>
          <Format {...{ search, format: 'ndjson', onTaken: close }} title="NDJSON, for programs">
            One JSON object on each line, exactly as the API shows a lead.
          </Format>
        </Stack>
        <DialogActions>
          <Button variant="default" onClick={close}>
            Close
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

type FormatProps = {
  search: LeadsSearch;
  format: 'csv' | 'ndjson';
  title: string;
  children: ReactNode;
  onTaken: () => void;
};

function Format({ search, format, title, children, onTaken }: FormatProps) {
  const account = useAccount();
  const { cursor: _page, ...filter } = queryOf(search) ?? {};
  const path = downloadRoutes.exportLeads.path;
  return (
    <Stack gap={6} align="flex-start">
      <Button
        component="a"
        href={addressOf(path, { account: account.id }, { ...filter, format })}
        download
        onClick={onTaken}
      >
        {title}
      </Button>
      <Text size="sm" c="dimmed">
        {children}
      </Text>
    </Stack>
  );
}
