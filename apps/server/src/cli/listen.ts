import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command, Option } from 'commander';
import { Agent } from 'undici';
import { createSending } from '../modules/deliveries/index.ts';
import { eventsOption } from './arguments.ts';
import { createFeedClient } from './listen/feed-client.ts';
import { follow } from './listen/follow.ts';
import { createForward } from './listen/forward.ts';
import { eventLine, greeting, type ListenOptions } from './listen/print.ts';
import { httpUrl, keyOption, refusedSecret, urlOption } from './service-options.ts';

type Options = ListenOptions & { key: string; events?: string[] };

/** For a partner's developer: needs no store of its own, only the API of a service. */
export function listenCommand(): Command {
  return new Command('listen')
    .description('print events as they happen, and forward them, signed, to a local program')
    .option('--forward-to <url>', 'where to POST them, e.g. http://localhost:4000/hook', httpUrl)
    .addOption(keyOption('leads:read'))
    .addOption(urlOption())
    .addOption(eventsOption())
    .option('--secret <whsec_…>', 'sign with this secret; absent: a new one, printed', secret)
    .addOption(
      new Option('--from <place>', 'where to begin').choices(['now', 'start']).default('now'),
    )
    .option('--json', 'print one line of JSON an event')
    .action((options: Options) => listen({ ...options, secret: options.secret ?? makeSecret() }));
}

async function listen(options: Options): Promise<void> {
  const { url, key, events: types = null, from, forwardTo } = options;
  const ended = endOnSignal();
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const show = (line: string) => process.stdout.write(`${line}\n`);
  const wait = (ms: number) => waitUnless(ended, ms);
  const dispatcher = new Agent();
  // The sender of real deliveries; it is the developer's own machine, so that any address will do.
  const { attempt, close } = createSending({ allowPrivate: true, nowMs: Date.now });
  ended.addEventListener('abort', () => {
    close();
    void dispatcher.destroy();
  });
  const forward = forwardTo
    ? createForward({ attempt, url: forwardTo, secret: options.secret, onRetry: say, wait })
    : async () => null;
  const followed = follow({
    ...{ read: createFeedClient({ url, key, types, dispatcher }), from, wait },
    onStart: () => show(greeting(options)),
    onTrouble: (sentence) => !ended.aborted && say(sentence),
    async onEvent(event) {
      const forwarded = await forward(event);
      if (!ended.aborted) show(eventLine(event, forwarded, options));
    },
  });
  await followed.finally(() => {
    close();
    return dispatcher.destroy();
  });
}

/** Aborted by Ctrl-C, and where nobody reads what is printed any more. A second Ctrl-C ends at once. */
function endOnSignal(): AbortSignal {
  const controller = new AbortController();
  const end = () => controller.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  process.stdout.once('error', end);
  return controller.signal;
}

const waitUnless = (ended: AbortSignal, ms: number): Promise<boolean> =>
  sleep(ms, true, { signal: ended }).catch(() => false);

const makeSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

function secret(value: string): string {
  if (/^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/.test(value)) return value;
  throw refusedSecret('--secret: a signing secret is whsec_ and base64 of 24 to 64 bytes.');
}
