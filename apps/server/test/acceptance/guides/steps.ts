import { fencesOf } from '../../../src/documents/fences.ts';

/** One block of a guide that is run, and what it must print. */
export type Step = {
  language: 'sh' | 'ts' | 'js';
  text: string;
  /** Line of the guide, from 1, that holds the first line of the text. */
  line: number;
  answer: { value: unknown; line: number } | null;
};

const RUN = ['sh', 'ts', 'js'];

/**
 * The blocks of a guide that are run, in their order.
 * @throws where an answer follows no block that is run, or is no JSON
 */
export function stepsOf(markdown: string): Step[] {
  const steps: Step[] = [];
  let previous: Step | null = null;
  for (const { language, text, line, isAnswer, file, noRun } of fencesOf(markdown)) {
    if (isAnswer) {
      if (previous) previous.answer = { value: parse(text, line), line };
      else if (noRun === null) throw new Error(`line ${line}: an answer to nothing that is run`);
      previous = null;
      continue;
    }
    previous = null;
    if (!RUN.includes(language) || file !== null || noRun !== null) continue;
    previous = { language: language as Step['language'], text, line, answer: null };
    steps.push(previous);
  }
  return steps;
}

function parse(text: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`line ${line}: ${(error as Error).message}`);
  }
}
