import { Alert, Button } from '@mantine/core';
import { Check, Copy as CopyIcon, TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import classes from './parts.module.css';
import { ScrollBox } from './ScrollBox.tsx';

const SHOWN_MS = 2_000;

type Outcome = 'idle' | 'copied' | 'failed';

/** Copies a text, and says aloud whether it could. */
export function CopyButton({ value, label = 'Copy' }: { value: string; label?: string }) {
  const [outcome, setOutcome] = useState<Outcome>('idle');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    setOutcome(await copyText(value));
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOutcome('idle'), SHOWN_MS);
  };
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={
          outcome === 'copied' ? (
            <Check size={14} aria-hidden />
          ) : (
            <CopyIcon size={14} aria-hidden />
          )
        }
        onClick={() => void copy()}
      >
        {WORDS[outcome] ?? label}
      </Button>
      <span role="status" className={classes.unseen}>
        {outcome === 'idle' ? '' : WORDS[outcome]}
      </span>
    </>
  );
}

const WORDS: Partial<Record<Outcome, string>> = {
  copied: 'Copied',
  failed: 'Select and copy it',
};

/** Without https browsers offer no clipboard but for their own machine: then a selection is copied the old way. */
async function copyText(text: string): Promise<Outcome> {
  try {
    await navigator.clipboard.writeText(text);
    return 'copied';
  } catch {
    return copySelection(text) ? 'copied' : 'failed';
  }
}

function copySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // Inside the open dialog, where there is one: it would take the focus back from anything outside.
  const focused = document.activeElement as HTMLElement | null;
  (focused?.closest('[role="dialog"]') ?? document.body).append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  focused?.focus();
  return done;
}

/** A value to read and copy; breaks anywhere rather than leave its box. */
export function CopyField({ label, value }: { label: string; value: string }) {
  return (
    <div className={classes.copyField}>
      <span className={classes.copyLabel}>{label}</span>
      <div className={classes.copyRow}>
        <code className={classes.copyValue}>{value}</code>
        <CopyButton value={value} />
      </div>
    </div>
  );
}

/** A secret that is shown now and never again. */
export function SecretOnce({
  label,
  value,
  children,
}: {
  label: string;
  value: string;
  children?: ReactNode;
}) {
  // The form that it takes the place of had the focus: here people and readers go on.
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus({ preventScroll: true }), []);
  return (
    <div ref={box} tabIndex={-1} className={classes.stack} style={{ outline: 'none' }}>
      <Alert color="yellow" icon={<TriangleAlert size={18} aria-hidden />} title="Shown once">
        Copy it now and keep it where secrets are kept. It cannot be shown again.
      </Alert>
      <CopyField label={label} value={value} />
      {children}
    </div>
  );
}

/** Lines to paste, with a button to copy them. `label` names them for those who do not see them. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <figure className={classes.code} aria-label={label}>
      <figcaption>
        <span>{label}</span>
        <CopyButton value={code} />
      </figcaption>
      <ScrollBox label={label}>
        <pre>{code}</pre>
      </ScrollBox>
    </figure>
  );
}
