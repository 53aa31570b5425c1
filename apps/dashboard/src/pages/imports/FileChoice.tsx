import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { FileUp } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import { DialogActions } from '../../parts/index.ts';
import classes from './imports.module.css';
import { refusalOf } from './upload.ts';

const ACCEPTED = '.csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain';

type Props = { onChoose: (file: File) => void; onCancel: () => void };

/** A file to choose or to drop; one that cannot be imported is refused before any of it is sent. */
export function FileChoice({ onChoose, onCancel }: Props) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isOver, setIsOver] = useState(false);
  const take = (file: File | null | undefined) => {
    if (!file) return;
    const found = refusalOf(file);
    setRefusal(found && `${file.name}: ${found}`);
    if (!found) onChoose(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    take(event.dataTransfer.files[0]);
  };
  return (
    <Stack gap="sm">
      <Text size="sm">
        A CSV file with a header row, as Excel, Google Sheets and most systems save it: up to 100
        MiB, with commas, semicolons or tabs. Nothing is written before you have seen how it is
        read.
      </Text>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is for the mouse; the button does the same */}
      <div
        className={classes.drop}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <FileUp size={28} aria-hidden />
        <Group gap="xs" justify="center">
          <FileButton onChange={take} accept={ACCEPTED}>
            {(props) => (
              <Button {...props} data-autofocus>
                Choose a file
              </Button>
            )}
          </FileButton>
          <Text size="sm">or drop it here</Text>
        </Group>
      </div>
      {refusal && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert" className={classes.any ?? ''}>
          {refusal}
        </Text>
      )}
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </DialogActions>
    </Stack>
  );
}
