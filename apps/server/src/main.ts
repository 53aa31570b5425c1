import { runCommand } from './cli/index.ts';
import { ConfigError } from './platform/config/index.ts';
import { isEmbeddedPostgresError } from './platform/embedded-postgres/index.ts';
import { serve } from './serve.ts';
import { readConfig } from './settings.ts';

/** The entry: without arguments the service, with arguments one command. */
export async function main(args: string[]): Promise<void> {
  if (args.length > 0) {
    process.exitCode = await runCommand(args);
    return;
  }
  try {
    const service = await serve(readConfig(process.env));
    stopOnSignal(service.stop);
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`);
    process.exitCode = 1;
  }
}

/** The first SIGTERM or SIGINT stops gracefully; a second one, from an impatient person, at once. */
function stopOnSignal(stop: () => Promise<void>): void {
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      stop().then(
        () => process.exit(0),
        (error) => {
          process.stderr.write(`Leadwire did not stop cleanly: ${String(error)}\n`);
          process.exit(1);
        },
      );
    });
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof ConfigError || isEmbeddedPostgresError(error)) return error.message;
  const { code, message, stack } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return `The port is in use by another program (${message}). Choose another with PORT.`;
  return stack ?? String(error);
}
