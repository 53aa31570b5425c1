import { Command, CommanderError } from 'commander';
import { sentenceOf } from '../sentences.ts';
import { VERSION } from '../version.ts';
import { accountsCommand } from './accounts.ts';
import { campaignsCommand } from './campaigns.ts';
import { EndedWith } from './ended.ts';
import { exportCommand } from './export.ts';
import { featuresCommand } from './features.ts';
import { importCommand } from './import.ts';
import { keysCommand } from './keys.ts';
import { listenCommand } from './listen.ts';
import { membersCommand } from './members.ts';
import { migrateCommand } from './migrate.ts';
import { reconcileCommand } from './reconcile.ts';
import { webhooksCommand } from './webhooks.ts';

/** Runs one command. @returns the exit code: 0 done, 1 failed, 2 not understood; of reconcile as its help says. */
export async function runCommand(args: string[]): Promise<number> {
  const program = new Command('leadwire')
    .version(VERSION, '-V, --version', 'print the version')
    .description('Without a command the service starts. Settings come from the environment.')
    .exitOverride()
    .showHelpAfterError('(leadwire help shows every command)');
  const commands = [
    accountsCommand,
    campaignsCommand,
    keysCommand,
    featuresCommand,
    membersCommand,
    webhooksCommand,
    importCommand,
    exportCommand,
    listenCommand,
    reconcileCommand,
    migrateCommand,
  ];
  for (const command of commands) program.addCommand(inherit(command()));
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    return report(error);
  }
}

function inherit(command: Command): Command {
  for (const inner of command.commands) inherit(inner);
  return command.exitOverride().showHelpAfterError('(add --help for what it takes)');
}

function report(error: unknown): number {
  // Commander has written its own sentence already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof EndedWith) {
    if (error.cause !== undefined) process.stderr.write(`${sentenceOf(error.cause)}\n`);
    return error.exitCode;
  }
  process.stderr.write(`${sentenceOf(error)}\n`);
  return 1;
}
