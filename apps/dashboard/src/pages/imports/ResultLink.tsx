import { downloadRoutes } from '@leadwire/contract/dashboard';
import { Button } from '@mantine/core';
import { Download } from 'lucide-react';
import { addressOf } from '../../api/index.ts';
import { useAccount } from '../../shell/account.ts';
import type { ImportParams } from './params.ts';

type Props = { params: ImportParams; variant: 'filled' | 'default'; children: string };

/** The file with a line for each row and what became of it; only for those who may have leads as a file. */
export function ResultLink({ params, variant, children }: Props) {
  const account = useAccount();
  if (!account.may('leads.export')) return null;
  return (
    <Button
      component="a"
      variant={variant}
      href={addressOf(downloadRoutes.downloadImportResult.path, params)}
      download
      leftSection={<Download size={16} aria-hidden />}
    >
      {children}
    </Button>
  );
}
