/** What can change in an account, as the stream names it. */
export type Changing = 'leads' | 'requests' | 'deliveries';
export type LiveState = 'connecting' | 'live' | 'offline';

const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 30_000;
const ALL: readonly Changing[] = ['leads', 'requests', 'deliveries'];

type Listeners = {
  onState(state: LiveState): void;
  onChanged(what: readonly Changing[]): void;
};

/**
 * Listens to the stream of an account while the page can be seen, and tries again where it was cut or refused.
 * @returns what ends it
 */
export function listenWhileVisible(address: string, { onState, onChanged }: Listeners): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitMs = FIRST_WAIT_MS;

  function open() {
    source = new EventSource(address);
    source.addEventListener('ready', () => {
      waitMs = FIRST_WAIT_MS;
      onState('live');
      // What changed while nobody listened.
      onChanged(ALL);
    });
    source.addEventListener('changed', (event) => onChanged(JSON.parse(event.data).what));
    source.addEventListener('error', onError);
  }

  /** A browser connects again by itself after a cut, but never after an answer that is no stream. */
  function onError() {
    onState('offline');
    if (source?.readyState !== EventSource.CLOSED) return;
    close();
    timer = setTimeout(open, waitMs);
    waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
    // Says whether the session is over: a stream cannot tell why it was refused.
    onChanged(ALL);
  }

  function close() {
    clearTimeout(timer);
    source?.close();
    source = null;
  }

  function onVisibility() {
    close();
    if (document.visibilityState === 'visible') open();
  }

  onVisibility();
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    close();
  };
}
