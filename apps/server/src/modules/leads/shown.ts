import type { ShownLead } from '@leadwire/contract/dashboard';
import type { SeenLead } from './repository/shown.ts';

export const toShownLead = ({ lead, version, erasedAt }: SeenLead): ShownLead => ({
  ...lead,
  version,
  erased_at: erasedAt,
});
