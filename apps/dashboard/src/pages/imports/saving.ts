/** What a form shows and what of it is not stored yet. */
export type Saving<Values> = {
  /** Changed, and not stored: to be shown over what is. */
  unsaved: Partial<Values>;
  isSaving: boolean;
  /** Why the unsaved changes were refused. */
  error: unknown;
};

type Deps<Values> = {
  send: (changes: Partial<Values>) => Promise<void>;
  onState: (state: Saving<Values>) => void;
};

/**
 * Stores changes as they are made, one request after the other, so that none overtakes another. What is refused stays unsaved and is
 * sent again with the next change.
 */
export function createSaver<Values extends object>({ send, onState }: Deps<Values>) {
  let waiting: Partial<Values> = {};
  let sent: Partial<Values> = {};
  let refused: Partial<Values> = {};
  let error: unknown = null;
  let isSaving = false;
  let round = Promise.resolve();

  const unsaved = (): Partial<Values> => ({ ...refused, ...sent, ...waiting });
  const tell = () => onState({ unsaved: unsaved(), isSaving, error });

  async function sendAll(): Promise<void> {
    while (Object.keys(waiting).length > 0) {
      sent = waiting;
      waiting = {};
      tell();
      try {
        await send(sent);
        error = null;
      } catch (reason) {
        error = reason;
        refused = { ...refused, ...sent };
      }
      sent = {};
    }
    isSaving = false;
    tell();
  }

  return {
    change(changes: Partial<Values>): void {
      waiting = { ...refused, ...waiting, ...changes };
      refused = {};
      if (isSaving) tell();
      else {
        isSaving = true;
        round = sendAll();
      }
    },
    /** @returns whether everything is stored */
    async settled(): Promise<boolean> {
      await round;
      return Object.keys(unsaved()).length === 0;
    },
  };
}
