import assert from 'node:assert/strict';
import { eventually, type Json, type Visitor } from '../../support/index.ts';

const PART_BYTES = 4 * 1024 * 1024;

/** What a person does with a file of leads on the dashboard. */
export function importsOf(who: Visitor, account: string) {
  const base = `/accounts/${account}/imports`;
  const ask = (method: string, path: string, body?: unknown) =>
    who.call(method, base + path, body === undefined ? {} : { body });
  const must = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const answer = await ask(method, path, body);
    assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
    return answer.json;
  };

  async function upload(content: string | Buffer, fileName = 'leads.csv'): Promise<Json> {
    const bytes = Buffer.from(content as string);
    let one = await must('POST', '', { file_name: fileName, bytes: bytes.length });
    for (let part = 0; part * PART_BYTES < bytes.length; part++) {
      const body = bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
      one = await must('POST', `/${one.id}/parts/${part}`, body);
    }
    return one;
  }

  const until = (id: string, state: string): Promise<Json> =>
    eventually(
      async () => {
        const one = await must('GET', `/${id}`);
        assert.equal(one.state, state, JSON.stringify(one));
        return one;
      },
      { deadlineMs: 30_000 },
    );

  return {
    ask,
    must,
    upload,
    until,
    /** Uploads, sets, starts, and waits for the end. */
    async run(content: string | Buffer, settings: Json, fileName?: string): Promise<Json> {
      const { id } = await upload(content, fileName);
      await must('PATCH', `/${id}`, { campaign_id: 1, source: 'a file', ...settings });
      await must('POST', `/${id}/start`);
      return until(id, 'done');
    },
    badRows: async (id: string): Promise<Json[]> => (await must('GET', `/${id}/bad-rows`)).rows,
    async result(id: string): Promise<string> {
      const answer = await ask('GET', `/${id}/result`);
      assert.equal(answer.status, 200, answer.text);
      return answer.text;
    },
  };
}
