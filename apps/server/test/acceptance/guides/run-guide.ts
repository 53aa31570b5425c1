import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { differenceOf, lastJson } from './answers.ts';
import { makePlace, type Place, quote } from './place.ts';
import { type Step, stepsOf } from './steps.ts';

const GUIDE_TIMEOUT_MS = 120_000;
const SHOWN_CHARACTERS = 4_000;

export type GuideRun = {
  /** Name of the guide, for messages: quick-start. */
  name: string;
  markdown: string;
  /** What the blocks see beside PATH, HOME and the like. */
  env: Record<string, string>;
  /** What `npx leadwire` finds its store by. */
  store: Record<string, string>;
};

/**
 * Runs the blocks of a guide as its reader would: in their order, in one bash that ends at the first failure, in an empty folder.
 * Whatever they left running is ended.
 * @throws with guide, line and output of the block that failed or printed something else than the guide shows
 */
export async function runGuide({ name, markdown, env, store }: GuideRun): Promise<void> {
  const steps = stepsOf(markdown);
  if (steps.length === 0) return;
  const place = await makePlace(store);
  try {
    const code = await runBash(await scriptOf(name, steps, place), env, place);
    const reached = Number(await readOutput(place, 'reached'));
    for (const [n, step] of steps.slice(0, reached).entries()) {
      const ended = n + 1 === reached ? endOf(code, reached < steps.length) : null;
      const problem = ended ?? (await wrongAnswer(step, n, place));
      if (problem) throw await failure({ name, step, n, problem }, place);
    }
    if (reached === 0)
      throw new Error(`${name}.md: bash ended with ${code} before the first block`);
  } finally {
    await place.remove();
  }
}

/** What is wrong with how bash ended in its last block; null where nothing is. */
function endOf(code: number, isBeforeTheEnd: boolean): string | null {
  if (code === -1)
    return `it was ended: the guide took more than ${GUIDE_TIMEOUT_MS} ms, or a signal came`;
  if (code !== 0) return `it ended with ${code}`;
  return isBeforeTheEnd ? 'it left the shell' : null;
}

/** One script: each block is sourced, so that variables and background jobs live on in the next. */
async function scriptOf(name: string, steps: Step[], place: Place): Promise<string> {
  const parts = steps.map(async (step, n) => {
    const path = quote(await place.write(step, name));
    const command =
      step.language === 'sh' ? `source ${path}` : `${quote(process.execPath)} ${path}`;
    const [out, err, reached] = [`${n}.out`, `${n}.err`, 'reached'].map((file) =>
      quote(place.file(file)),
    );
    return `echo ${n + 1} >${reached}\n${command} >${out} 2>${err} </dev/null`;
  });
  return (await Promise.all(parts)).join('\n');
}

/** @returns the exit code; -1 where it did not end in time */
async function runBash(
  script: string,
  env: Record<string, string>,
  { work, bin }: Place,
): Promise<number> {
  const { HOME, LANG, TMPDIR } = process.env;
  const path = `${bin}:${process.env.PATH}`;
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: work,
    env: { HOME, LANG, TMPDIR, ...env, PATH: path },
    stdio: 'ignore',
    // A process group of its own, so that what was put in the background ends with it.
    detached: true,
  });
  const ended = once(child, 'exit').then(([code]) => code ?? -1);
  const timeout = new AbortController();
  const late = wait(GUIDE_TIMEOUT_MS, -1, { signal: timeout.signal }).catch(() => -1);
  try {
    return await Promise.race([ended, late]);
  } finally {
    timeout.abort();
    endGroup(child.pid);
  }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of it runs any more.
  }
}

async function wrongAnswer({ answer }: Step, n: number, place: Place): Promise<string | null> {
  if (!answer) return null;
  const printed = lastJson(await readOutput(place, `${n}.out`));
  if (printed === undefined) return `it printed no JSON, and line ${answer.line} shows some`;
  const difference = differenceOf(answer.value, printed);
  return difference && `${difference} in line ${answer.line}`;
}

type Failed = { name: string; step: Step; n: number; problem: string };

async function failure({ name, step, n, problem }: Failed, place: Place): Promise<Error> {
  const [out, err] = await Promise.all(
    [`${n}.out`, `${n}.err`].map((file) => readOutput(place, file)),
  );
  const shown = [
    `${name}.md:${step.line}: ${problem}`,
    step.text,
    `stdout: ${out}`,
    `stderr: ${err}`,
  ];
  return new Error(shown.map((text) => text.slice(0, SHOWN_CHARACTERS)).join('\n'));
}

const readOutput = (place: Place, file: string): Promise<string> =>
  readFile(place.file(file), 'utf8').catch(() => '');
