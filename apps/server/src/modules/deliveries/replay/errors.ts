import { conflict } from '../../../platform/errors/index.ts';

export const tooManyReplays = (max: number) =>
  conflict(`${max} replays of this webhook are running. Wait until one is done, or cancel one.`);
