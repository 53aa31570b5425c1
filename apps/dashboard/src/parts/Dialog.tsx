import { Button, Group, Modal, TextInput } from '@mantine/core';
import { createContext, type ReactNode, use, useState } from 'react';
import classes from './parts.module.css';
import { ErrorState } from './states.tsx';

/** Whether another dialog lies over those of the page: Escape is meant for that one. */
export const CoveredContext = createContext(false);

type DialogProps = {
  title: string;
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
  size?: 'md' | 'lg' | 'xl';
  /** For what must not be closed by a stray click: a secret that is shown once. */
  keepOpen?: boolean;
};

/** A dialog: takes the focus, keeps it, gives it back; Escape closes it. */
export function Dialog({ title, opened, onClose, children, size = 'md', keepOpen }: DialogProps) {
  const isCovered = use(CoveredContext);
  return (
    <Modal.Root
      {...{ opened, onClose, size }}
      centered
      closeOnClickOutside={false}
      closeOnEscape={!keepOpen && !isCovered}
      // Not as className of the content: Mantine gives that to the layer of the whole window as well.
      classNames={{ content: classes.dialog ?? '' }}
    >
      <Modal.Overlay />
      <Modal.Content>
        {/* Not Mantine's header: beside that of the page it would be a second banner (WAI-ARIA 1.2, banner). */}
        <div className={classes.dialogHeader}>
          <Modal.Title className={classes.dialogTitle ?? ''}>{title}</Modal.Title>
          {keepOpen ? null : <Modal.CloseButton aria-label="Close" />}
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** The buttons at the end of a dialog. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <Group justify="flex-end" gap="xs" mt="md">
    {children}
  </Group>
);

type FormActionsProps = {
  /** The act in a word or two: "Create key". */
  submit: string;
  onCancel: () => void;
  isPending: boolean;
  isDestructive?: boolean;
  isDisabled?: boolean;
  /** Where no field of the form takes the focus: the button that loses nothing does. */
  focusesCancel?: boolean;
};

/** The same below a form: leave it, or send it. */
export function FormActions({ submit, onCancel, isPending, ...props }: FormActionsProps) {
  const { isDestructive = false, isDisabled = false, focusesCancel } = props;
  return (
    <DialogActions>
      <Button variant="default" onClick={onCancel} data-autofocus={focusesCancel || undefined}>
        Cancel
      </Button>
      <Button
        type="submit"
        {...(isDestructive ? { color: 'red' } : {})}
        loading={isPending}
        disabled={isDisabled}
      >
        {submit}
      </Button>
    </DialogActions>
  );
}

type ConfirmProps = {
  title: string;
  opened: boolean;
  onClose: () => void;
  /** What is lost, named. */
  children: ReactNode;
  /** The act in a word or two: "Revoke key". */
  confirm: string;
  onConfirm: () => void;
  isPending: boolean;
  error: unknown;
  /** What the person has to type first, where the loss is large. */
  typed?: string | undefined;
  /** False for what can be undone. */
  destructive?: boolean;
};

/** Asks before something is lost, and names what; stays open while it is done and where that fails. */
export function ConfirmDialog(props: ConfirmProps) {
  const { title, opened, onClose } = props;
  return (
    <Dialog {...{ title, opened, onClose }}>
      <ConfirmBody {...props} />
    </Dialog>
  );
}

function ConfirmBody(props: ConfirmProps) {
  const {
    children,
    confirm,
    onConfirm,
    onClose,
    isPending,
    error,
    typed,
    destructive = true,
  } = props;
  const [text, setText] = useState('');
  return (
    <form
      className={classes.stack}
      onSubmit={(event) => {
        event.preventDefault();
        onConfirm();
      }}
    >
      <div>{children}</div>
      {typed ? (
        <TextInput
          label={`Type ${typed} to confirm`}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autoComplete="off"
        />
      ) : null}
      {error ? <ErrorState error={error} /> : null}
      <FormActions
        submit={confirm}
        onCancel={onClose}
        isPending={isPending}
        isDestructive={destructive}
        isDisabled={typed !== undefined && text !== typed}
        focusesCancel={!typed}
      />
    </form>
  );
}
