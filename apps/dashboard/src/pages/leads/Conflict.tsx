import type { LeadField, LeadPatch } from '@leadwire/contract';
import type { ShownLead } from '@leadwire/contract/dashboard';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { DialogActions } from '../../parts/index.ts';
import { Changes } from './Changes.tsx';
import { FIELD_NAMES, fieldName } from './words.ts';

type Props = {
  base: ShownLead;
  now: ShownLead;
  mine: LeadPatch;
  onReapply: () => void;
  onDiscard: () => void;
};

/** Somebody else changed the lead while it was edited: shows what, and lets the person go on from there. */
export function Conflict({ base, now, mine, onReapply, onDiscard }: Props) {
  const theirs = differences(base, now);
  const both = theirs.map(({ field }) => field).filter((field) => Object.hasOwn(mine, field));
  return (
    <Stack>
      <Alert color="yellow" role="alert" title="Somebody else changed this lead meanwhile">
        Nothing of yours was saved yet.
      </Alert>
      <div>
        <Text size="sm" fw={600}>
          What they changed
        </Text>
        {theirs.length === 0 ? (
          <Text size="sm">Nothing that is still different from what you saw.</Text>
        ) : (
          <Changes changes={theirs} />
        )}
      </div>
      <Text size="sm">
        Your changes: {Object.keys(mine).map(fieldName).join(', ')}.
        {both.length > 0 && ` Saving yours replaces theirs in ${both.map(fieldName).join(', ')}.`}
      </Text>
      <DialogActions>
        <Button variant="default" onClick={onDiscard}>
          Discard mine
        </Button>
        <Button onClick={onReapply} data-autofocus>
          Continue with both
        </Button>
      </DialogActions>
    </Stack>
  );
}

const differences = (base: ShownLead, now: ShownLead) =>
  (Object.keys(FIELD_NAMES) as LeadField[])
    .filter((field) => JSON.stringify(base[field]) !== JSON.stringify(now[field]))
    .map((field) => ({ field, before: base[field], after: now[field] }));
