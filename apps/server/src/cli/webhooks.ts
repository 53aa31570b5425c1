import { randomBytes } from 'node:crypto';
import type { Webhook } from '@leadwire/contract';
import { Command } from 'commander';
import { createReplays } from '../modules/deliveries/index.ts';
import { createWebhooks, type Webhooks } from '../modules/webhooks/index.ts';
import { AppError } from '../platform/errors/index.ts';
import { accountOption, eventsOption, jsonOption, time } from './arguments.ts';
import { type CommandContext, withStore } from './context.ts';
import { print } from './print.ts';

const PAGE = 100;

export function webhooksCommand(): Command {
  const webhooks = new Command('webhooks').description('list webhooks, and send events again');
  webhooks
    .command('list')
    .description('every webhook of an account, newest first')
    .addOption(accountOption())
    .addOption(jsonOption())
    .action(async (options) => {
      const data = await withStore(async (context) => {
        const account = await context.accounts.resolve(options.account);
        return listAll(webhooksOf(context), account.id);
      });
      const lines = data.map(lineOf).join('\n');
      print(options, { data }, lines || 'The account has no webhooks.');
    });
  webhooks
    .command('replay')
    .description(
      'send the events of a time range to a webhook again; a running service does the work',
    )
    .argument('<webhook>', 'its id, wh_…')
    .addOption(accountOption())
    .requiredOption('--from <time>', 'ISO 8601 with an offset or Z; from this time on', time)
    .requiredOption('--to <time>', 'until before this time', time)
    .addOption(eventsOption())
    .addOption(jsonOption())
    .action(async (webhook: string, { account, from, to, events, ...options }) => {
      const replay = await withStore(async (context) => {
        const { id } = await context.accounts.resolve(account);
        const range = { from, to, ...(events && { events }) };
        return createReplays(context)
          .create(id, webhook, range)
          .catch((error) => explain(error, webhook));
      });
      const what = `${replay.events.join(', ')} from ${replay.from} to ${replay.to}`;
      print(options, replay, `Replay ${replay.id} is begun: ${what}.`);
    });
  return webhooks;
}

const webhooksOf = ({ config, ...context }: CommandContext): Webhooks =>
  createWebhooks({
    ...context,
    randomBytes,
    maxWebhooks: config.maxWebhooks,
    allowPrivate: config.allowPrivateWebhooks,
    onChange: () => undefined,
  });

async function listAll(webhooks: Webhooks, accountId: string): Promise<Webhook[]> {
  const all: Webhook[] = [];
  for (let after: string | undefined; ; ) {
    const { data, nextCursor } = await webhooks.list(accountId, { limit: PAGE, after });
    all.push(...data);
    if (nextCursor === null) return all;
    after = nextCursor;
  }
}

function lineOf({ id, url, events, inactive_reason, failing_since }: Webhook): string {
  const state = inactive_reason ? `inactive (${inactive_reason})` : 'active';
  const trouble = failing_since ? `, failing since ${failing_since}` : '';
  return `${id}  ${state}${trouble}  ${url}  ${events.join(',')}`;
}

/** The service speaks to programs; here its answer becomes a sentence about what was typed. */
function explain(error: unknown, webhook: string): never {
  if (!(error instanceof AppError)) throw error;
  const { status, code } = error;
  if (status === 404) {
    throw new AppError({ status, code, message: `The account has no webhook ${webhook}.` });
  }
  if (error.errors) throw new AppError({ status, code, message: `It cannot be done: ${code}.` });
  throw error;
}
