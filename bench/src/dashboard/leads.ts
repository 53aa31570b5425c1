import path from 'node:path';
import { postmasterOf, treeCpuSeconds } from '../deliveries/cpu.ts';
import { type Leadwire, vacuum } from '../leadwire.ts';
import { decimals, median, quantile, table, whole } from '../numbers.ts';
import type { Section, Target } from '../report.ts';
import type { Bench } from '../run.ts';
import { bearer, LEADS_PATH } from '../traffic.ts';
import { measureClicks } from './clicks.ts';
import { signUp } from './sign-up.ts';

type Ask = (query: string) => Promise<{ leads?: unknown; entries?: unknown[] }>;

const BATCH = 1000;
const CONNECTIONS = 4;
const SYLLABLES = 'ma jo an el ka li so ro te vi be ha ni da lu gre chri ste mi pa'.split(' ');
/** Of a thousandth of the leads, and of nobody. */
const [RARE, ABSENT] = ['Wilhelmsson', 'Xyzzyq'];

type Case = { what: string; atMostMs: number | null; query: (n: number) => string };
/** `cpuMs`: of service and PostgreSQL for one request, which says more than the times where others use the machine too. */
type Measured = Case & { times: number[]; cpuMs: number; found: string };
type Timed = Pick<Measured, 'what' | 'atMostMs' | 'times'>;

/** The dashboard's list and search of leads, one lead and its timeline, with many leads in the account. */
export async function runLeads(
  bench: Bench,
  leadwire: Leadwire,
): Promise<{ sections: Section[]; targets: Target[] }> {
  const { options, progress } = bench;
  const size = Math.ceil(options.size / BATCH / CONNECTIONS) * BATCH * CONNECTIONS;
  const { ask: askJson, cookie } = await signUp(leadwire, path.join(bench.work, 'leadwire.log'));
  const ask = askJson as Ask;
  const ids = await fill(leadwire, size, progress);
  const tries = options.quick ? 3 : 40;
  const postmaster = await postmasterOf(leadwire.databaseUrl);
  const cpuMs = () =>
    1000 * ((leadwire.service.cpuSeconds() ?? Number.NaN) + treeCpuSeconds(postmaster));
  const measure = (cases: Case[]) => measureAll({ ask, cpuMs, progress }, cases, tries);
  const before = await measure(casesOf(size, ids));
  await vacuum(leadwire.databaseUrl);
  const after = await measure(casesOf(size, ids));
  const clicks = await measureClicks(leadwire, cookie, tries);
  return {
    sections: [
      { title: `${whole(size)} leads in one account`, text: textOf(before, after, tries) },
      { title: 'In a browser', text: clicksText(clicks) },
    ],
    targets: [...after, ...clicks].flatMap(targetOf),
  };
}

const numberOf = (size: number, n: number): number => (n * 7_919 + 13) % size;
const phoneOf = (n: number): string => `+1${2_000_000_000 + ((n * 7_907) % 7_999_999_999)}`;
const emailOf = (n: number): string => `Person.${n}@Example.com`;
const externalId = (n: number): string => `partner-${n}`;

function casesOf(size: number, ids: string[]): Case[] {
  const search = (text: string) => `leads?search=${encodeURIComponent(text)}`;
  const nth = (n: number) => numberOf(size, n);
  return [
    { what: 'list, first rows', atMostMs: 300, query: () => 'leads' },
    { what: 'list of a status', atMostMs: 300, query: () => 'leads?status=qualified' },
    { what: 'list of a campaign', atMostMs: 300, query: () => 'leads?campaign_id=1' },
    {
      what: 'list of a source that has no lead',
      atMostMs: null,
      query: () => 'leads?source=nobody',
    },
    { what: 'exact external id', atMostMs: 200, query: (n) => search(externalId(nth(n))) },
    { what: 'exact phone', atMostMs: 200, query: (n) => search(phoneOf(nth(n))) },
    {
      what: 'exact e-mail, in small letters',
      atMostMs: 200,
      query: (n) => search(emailOf(nth(n)).toLowerCase()),
    },
    { what: 'part of a common name', atMostMs: 1000, query: () => search('mar') },
    { what: 'part of a rare name', atMostMs: 1000, query: () => search(RARE.slice(1)) },
    { what: 'part of a name that does not occur', atMostMs: 1000, query: () => search(ABSENT) },
    { what: "a search of '%%%'", atMostMs: 1000, query: () => search('%%%') },
    ...(['hour', 'day', 'week', 'month'] as const).map((range) => ({
      what: `overview of the last ${range}`,
      atMostMs: 500,
      query: () => `overview?range=${range}`,
    })),
    { what: 'one lead', atMostMs: null, query: (n) => `leads/${ids[nth(n)]}` },
    { what: 'its timeline', atMostMs: null, query: (n) => `leads/${ids[nth(n)]}/timeline` },
  ];
}

/** @returns the leads' UUIDs, each at the index of its number */
export async function fill(
  { service, key }: Leadwire,
  size: number,
  progress: (line: string) => void,
): Promise<string[]> {
  const ids: string[] = [];
  let next = 0;
  const sendAll = async () => {
    while (next < size) {
      const first = next;
      next += BATCH;
      const leads = Array.from({ length: BATCH }, (_, index) => leadOf(first + index));
      const answer = await fetch(`http://127.0.0.1:${service.port}${LEADS_PATH}/batch`, {
        method: 'POST',
        headers: { ...bearer(key.secret_key), 'Content-Type': 'application/json' },
        body: JSON.stringify({ leads }),
      });
      const { results } = (await answer.json()) as { results: { lead_id: string }[] };
      results.forEach(({ lead_id: id }, index) => {
        ids[first + index] = id;
      });
      if (first % (size / 10) === 0) progress(`filled ${whole(first)}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sendAll));
  return ids;
}

const leadOf = (n: number) => ({
  campaign_id: 1,
  external_lead_id: externalId(n),
  phone: phoneOf(n),
  email: emailOf(n),
  first_name: nameOf(n),
  last_name: n % 1000 === 0 ? RARE : nameOf(n * 31 + 7),
  source: `partner-feed-${n % 9}`,
  status: n % 3 === 0 ? 'qualified' : 'new',
  custom_fields: { roof_type: 'tile', monthly_bill: 184.5, owner: true },
  address: { street: '1200 Harbour Street', city: 'Fresno', state: 'CA', zip: '93650' },
});

/** One of 8,000 names of three syllables. */
function nameOf(n: number): string {
  const at = (n * 7_919) % 8_000;
  const parts = [at % 20, Math.floor(at / 20) % 20, Math.floor(at / 400)];
  const name = parts.map((part) => SYLLABLES[part]).join('');
  return name.charAt(0).toUpperCase() + name.slice(1);
}

async function measureAll(
  { ask, cpuMs, progress }: { ask: Ask; cpuMs: () => number; progress: (line: string) => void },
  cases: Case[],
  tries: number,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const one of cases) {
    const times: number[] = [];
    let found = '';
    const cpu = cpuMs();
    for (let n = 0; n < tries; n += 1) {
      const query = one.query(n);
      const start = performance.now();
      const { leads, entries } = await ask(query);
      times.push(performance.now() - start);
      found = Array.isArray(leads)
        ? `${leads.length} leads`
        : entries
          ? `${entries.length} entries`
          : 'one';
    }
    progress(`${one.what}: ${decimals(median(times), 1)} ms, ${found}`);
    measured.push({ ...one, times, cpuMs: (cpuMs() - cpu) / tries, found });
  }
  return measured;
}

const p95 = ({ times }: Timed): number => quantile(times, 0.95);

function textOf(before: Measured[], after: Measured[], tries: number): string {
  const rows = after.map((one, index) => [
    one.what,
    one.found,
    decimals(median(before[index]?.times ?? []), 1),
    decimals(one.cpuMs, 1),
    ...[median(one.times), p95(one), Math.max(...one.times)].map((value) => decimals(value, 1)),
  ]);
  return [
    `Milliseconds of a whole request over loopback, one after the other, ${tries} of each; every phone, e-mail and external id is another lead's.`,
    'The second column is right after the fill, the others after VACUUM ANALYZE. CPU: milliseconds of service and PostgreSQL for one request.',
    '',
    table(['', 'answer', 'p50 after the fill', 'CPU', 'p50', 'p95', 'most'], rows),
  ].join('\n');
}

function clicksText(clicks: Timed[]): string {
  const rows = clicks.map((one) => [
    one.what,
    ...[median(one.times), p95(one), Math.max(...one.times)].map((value) => decimals(value, 1)),
  ]);
  return [
    'Milliseconds in headless Chromium on the same cores, from the click to what it shows being there.',
    '',
    table(['', 'p50', 'p95', 'most'], rows),
  ].join('\n');
}

function targetOf(one: Timed): Target[] {
  if (one.atMostMs === null) return [];
  return [
    {
      what: `${one.what}, p95`,
      wanted: `≤ ${one.atMostMs} ms`,
      measured: `${decimals(p95(one), 1)} ms`,
      met: p95(one) <= one.atMostMs,
    },
  ];
}
