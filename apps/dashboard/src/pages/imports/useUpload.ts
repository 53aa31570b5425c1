import type { Import } from '@leadwire/contract/dashboard';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { apiQuery, call, refresh } from '../../api/index.ts';
import { UploadStopped, uploadParts, waitOrAbort } from './upload.ts';

type State = {
  file: File;
  sentBytes: number;
  isSending: boolean;
  error: unknown;
  /** Null until the service knows of the import. */
  id: string | null;
  /** The part that is sent next. */
  part: number;
};

export type Upload = {
  /** Null while no file is chosen. */
  state: State | null;
  start: (file: File) => void;
  /** After a failure, from the part that did not arrive. */
  goOn: () => void;
  /** Forgets the file; what was sent of it is never imported. */
  stop: () => void;
};

/** Sends a file; ends with the component. @param onDone once the last part is there */
export function useUpload(account: string, onDone: (found: Import) => unknown): Upload {
  const client = useQueryClient();
  const [state, setState] = useState<State | null>(null);
  const stopping = useRef<AbortController | null>(null);
  useEffect(() => () => stopping.current?.abort(), []);

  async function send(from: State): Promise<void> {
    const controller = new AbortController();
    stopping.current = controller;
    const { signal } = controller;
    const show = (changes: Partial<State>) => {
      if (!signal.aborted) setState((known) => known && { ...known, ...changes });
    };
    setState({ ...from, isSending: true, error: null });
    try {
      const as = client.getQueryData(apiQuery('getMe', {}).queryKey)?.id;
      const options = { signal, as };
      const id = from.id ?? (await begin(account, from.file, options)).id;
      show({ id });
      const found = await uploadParts(from.file, from.part, {
        sendPart: (part, body) =>
          call(
            'uploadImportPart',
            { params: { account, import: id, part: `${part}` }, body },
            options,
          ),
        wait: waitOrAbort,
        onProgress: (sentBytes) => show({ sentBytes }),
        signal,
      });
      setState(null);
      refresh(client, ['listImports']);
      await onDone(found);
    } catch (error) {
      const isPart = error instanceof UploadStopped;
      show({ isSending: false, error: isPart ? error.cause : error });
      if (isPart) show({ part: error.part });
    }
  }

  return {
    state,
    start: (file) =>
      void send({ file, sentBytes: 0, isSending: true, error: null, id: null, part: 0 }),
    goOn: () => void (state && send(state)),
    stop: () => {
      stopping.current?.abort();
      setState(null);
    },
  };
}

const begin = (
  account: string,
  { name, size }: File,
  options: { signal: AbortSignal; as: string | undefined },
): Promise<Import> =>
  call('createImport', { params: { account }, body: { file_name: name, bytes: size } }, options);
