/** Which bad rows are shown: those after this line of the file; absent: the first ones. */
export type ImportSearch = { after?: number };

const LINE = /^[1-9]\d{0,9}$/;

export function readImportSearch({ after }: Record<string, unknown>): ImportSearch {
  return LINE.test(String(after)) ? { after: Number(after) } : {};
}
