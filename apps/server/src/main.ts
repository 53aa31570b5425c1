import { sentenceOf } from './sentences.ts';
import { readConfig } from './settings.ts';
import { VERSION } from './version.ts';

// Read at once: npm may be gone before the service is up.
const parent = process.ppid;

/** The entry: without arguments the service, with arguments one command. Each loads only what it needs. */
export async function main(args: string[]): Promise<void> {
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    // Without the commands, which would take most of the time.
    process.stdout.write(`${VERSION}\n`);
    return;
  }
  if (args.length > 0) {
    const { runCommand } = await import('./cli/index.ts');
    process.exitCode = await runCommand(args);
    return;
  }
  const starting = start();
  let isAskedToStop = false;
  // Before it is up: a start that is cut off would leave PostgreSQL running.
  stopOnSignal(async () => {
    isAskedToStop = true;
    const service = await starting.catch(() => null);
    await service?.stop();
  });
  try {
    await starting;
  } catch (error) {
    // Ctrl-C ends the programs that a first start runs too: that is no failure to explain.
    if (isAskedToStop) return;
    process.stderr.write(`${sentenceOf(error)}\n`);
    process.exitCode = 1;
  }
}

async function start() {
  const config = readConfig(process.env);
  const { serve } = await import('./serve.ts');
  return serve(config);
}

/** The first SIGTERM or SIGINT stops gracefully, after a start that is under way; a second one, from an impatient person, at once. */
function stopOnSignal(stop: () => Promise<void>): void {
  let isStopping = false;
  const stopOnce = () => {
    if (isStopping) return;
    isStopping = true;
    stop().then(
      () => process.exit(0),
      (error) => {
        process.stderr.write(`Leadwire did not stop cleanly: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      stopOnce();
    });
  }
  if (process.env.npm_lifecycle_event === 'start') onParentGone(stopOnce);
}

/** npm ends on a signal and so does the shell between, but neither passes it on: that the parent is gone is the signal. */
function onParentGone(stop: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, 200).unref();
}
