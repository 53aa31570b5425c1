import { SCOPES, type Scope } from '@leadwire/contract';
import { Command, InvalidArgumentError } from 'commander';
import { MAX_WINDOW_SECONDS } from '../modules/rate-limits/index.ts';
import { accountOption, jsonOption, nameOption, time } from './arguments.ts';
import { withStore } from './context.ts';
import { print } from './print.ts';

export function keysCommand(): Command {
  const keys = new Command('keys').description('issue and revoke API keys');
  keys
    .command('create')
    .description('issue a key; its secret is shown once')
    .addOption(accountOption())
    .addOption(nameOption())
    .requiredOption('--scopes <scopes>', `comma-separated: ${SCOPES.join(', ')}`, scopes)
    .option(
      '--rate-limit <requests/seconds>',
      'e.g. 100/60; 0 is unlimited; absent: 6000/60',
      rateLimit,
    )
    .option('--expires <time>', 'ISO 8601 with an offset or Z', time)
    .addOption(jsonOption())
    .action(async (options) => {
      const key = await withStore(async ({ accounts, apiKeys }) => {
        const account = await accounts.resolve(options.account);
        const { publicKey, secretKey } = await apiKeys.create({
          accountId: account.id,
          name: options.name,
          scopes: options.scopes,
          ...(options.rateLimit ? { rateLimit: options.rateLimit } : {}),
          ...(options.expires ? { expiresAt: options.expires } : {}),
        });
        return {
          public_key: publicKey,
          secret_key: secretKey,
          account_id: account.id,
          scopes: options.scopes,
        };
      });
      const text = `Public key  ${key.public_key}\nSecret key  ${key.secret_key}\nThe secret key is shown once; keep it.`;
      print(options, key, text);
    });
  keys
    .command('revoke')
    .description('refuse a key from now on, on every node within a second')
    .argument('<public key>', 'lwpk_…')
    .addOption(jsonOption())
    .action(async (publicKey: string, options) => {
      await withStore(({ apiKeys }) => apiKeys.revoke(publicKey));
      print(options, { public_key: publicKey, revoked: true }, `Key ${publicKey} is revoked.`);
    });
  return keys;
}

function scopes(value: string): Scope[] {
  const names = [...new Set(value.split(',').map((scope) => scope.trim()))];
  const unknown = names.find((scope) => !SCOPES.includes(scope as Scope));
  if (unknown !== undefined) {
    throw new InvalidArgumentError(`"${unknown}" is no scope. Scopes: ${SCOPES.join(', ')}.`);
  }
  return names as Scope[];
}

function rateLimit(value: string): { max: number; windowSeconds: number } {
  if (value === '0') return { max: 0, windowSeconds: 1 };
  const [, max, seconds] = /^([1-9]\d{0,8})\/([1-9]\d{0,6})$/.exec(value) ?? [];
  if (!max || Number(seconds) > MAX_WINDOW_SECONDS) {
    throw new InvalidArgumentError('Write requests/seconds, e.g. 100/60, or 0 for unlimited.');
  }
  return { max: Number(max), windowSeconds: Number(seconds) };
}
