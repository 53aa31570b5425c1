import path from 'node:path';
import type { Form } from '@leadwire/contract/dashboard';
import { type Owner, signUp } from '../dashboard/sign-up.ts';
import { postmasterOf, treeCpuSeconds } from '../deliveries/cpu.ts';
import { NUMBER } from '../lead.ts';
import { type Leadwire, vacuum } from '../leadwire.ts';
import { runLoad } from '../load.ts';
import { decimals, median, quantile, table, whole } from '../numbers.ts';
import type { Section, Target } from '../report.ts';
import { createRequest, writeNumbers } from '../request.ts';
import type { Bench } from '../run.ts';
import { bearer, createCounter, posts, type Traffic } from '../traffic.ts';

type Measured = { rate: number; p99: number; cpuUs: number };
type Side = { what: string; traffic: Traffic; status: number; measured: Measured[] };

const CONNECTIONS = 64;
const WANTED_RATIO = 0.5;
const CONSENT_TEXT =
  'By clicking Submit I agree to be called about solar offers at the number given.';

const FIELDS: [name: string, to: string, value: string][] = [
  ['phone', 'phone', `+12${'N'.repeat(NUMBER.length)}`],
  ['email', 'email', `maria.lindqvist.${'N'.repeat(NUMBER.length)}@example.com`],
  ['first', 'first_name', 'Maria'],
  ['last', 'last_name', 'Lindqvist'],
  ['roof_type', 'custom_fields.roof_type', 'tile'],
  ['monthly_bill', 'custom_fields.monthly_bill', '184.5'],
  ['utility', 'custom_fields.utility', 'Pacific Gas & Electric'],
  ['street', 'address.street', '1200 Harbour Street'],
  ['city', 'address.city', 'Fresno'],
  ['state', 'address.state', 'CA'],
  ['zip', 'address.zip', '93650'],
];

/** Posts of a form beside posts of the API, of the same key. */
export async function runForms(
  bench: Bench,
  leadwire: Leadwire,
): Promise<{ sections: Section[]; targets: Target[] }> {
  const { options, progress } = bench;
  const owner = await signUp(leadwire, path.join(bench.work, 'leadwire.log'));
  const sides = await createSides(leadwire, owner);
  const postmaster = await postmasterOf(leadwire.databaseUrl);
  for (const side of sides) await load(leadwire, postmaster, side, options.warmupMs);
  await vacuum(leadwire.databaseUrl);
  for (let round = 0; round < options.rounds; round += 1) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      side.measured.push(await load(leadwire, postmaster, side, options.roundMs));
    }
    const rates = sides.map(({ what, measured }) => `${what} ${whole(measured[round]?.rate ?? 0)}`);
    progress(`round ${round + 1}: ${rates.join(', ')}`);
  }
  return {
    sections: [sectionOf(sides, options)],
    targets: sides.slice(1).map((side) => targetOf(side, sides[0] as Side)),
  };
}

async function createSides(leadwire: Leadwire, owner: Owner): Promise<Side[]> {
  const counter = createCounter(1);
  const { key } = leadwire;
  const { keys } = (await owner.ask('keys')) as { keys: { id: string; public_key: string }[] };
  const keyId = keys.find((one) => one.public_key === key.public_key)?.id;
  const createForm = async (consent: object | null) =>
    (await owner.ask('forms', {
      body: {
        ...{ name: 'Bench', campaign_id: 1, key_id: keyId, source: 'partner-feed-7', consent },
        fields: FIELDS.map(([name, to]) => ({ name, to, label: name, required: false })),
        // One address sends them all.
        ...{ min_fill_seconds: 0, per_address_a_minute: 0 },
      },
    })) as Form;
  const [plain, asking] = [
    await createForm(null),
    await createForm({ text: CONSENT_TEXT, required: true }),
  ];
  const formTraffic = (form: Form) => formPosts(form, counter.next);
  return [
    {
      what: 'POST of the API',
      traffic: posts(bearer(key.secret_key), counter.next),
      ...{ status: 201, measured: [] },
    },
    { what: 'form', traffic: formTraffic(plain), status: FORM_STATUS, measured: [] },
    { what: 'form with consent', traffic: formTraffic(asking), status: FORM_STATUS, measured: [] },
  ];
}

const FORM_STATUS = 201;

/** Url-encoded, as the script in a page sends it. */
function formPosts(form: Form, number: () => number): Traffic {
  const inputs = new URLSearchParams(
    FIELDS.map(([name, , value]): [string, string] => [name, value]),
  );
  inputs.set('_submission_id', `bench-${'N'.repeat(NUMBER.length)}`);
  inputs.set('_elapsed_ms', '9000');
  inputs.set('_website', '');
  inputs.set('_page_url', 'https://offers.example.com/solar/quote?step=4');
  if (form.consent) {
    inputs.set('_consent', 'on');
    inputs.set('_consent_version', String(form.consent.version));
  }
  const request = createRequest({
    method: 'POST',
    path: new URL(form.url).pathname,
    headers: { Accept: 'application/json' },
    type: 'application/x-www-form-urlencoded',
    body: inputs.toString().replaceAll('N'.repeat(NUMBER.length), NUMBER),
  });
  return () => {
    const bytes = request.copy();
    return () => {
      writeNumbers(bytes, request.numbers, number());
      return bytes;
    };
  };
}

async function load(
  leadwire: Leadwire,
  postmaster: number,
  { what, traffic, status }: Side,
  durationMs: number,
): Promise<Measured> {
  const { service } = leadwire;
  const cpuSeconds = () => (service.cpuSeconds() ?? Number.NaN) + treeCpuSeconds(postmaster);
  const cpu = cpuSeconds();
  const started = performance.now();
  const result = await runLoad({
    port: service.port,
    connections: CONNECTIONS,
    connection: traffic,
    expect: { status, contains: '"status":"inserted"' },
    until: { durationMs },
  }).catch((cause) => {
    throw new Error(`${what}: ${cause.message}`, { cause });
  });
  const rate = result.requests / result.seconds;
  const elapsed = (performance.now() - started) / 1000;
  return {
    rate,
    p99: quantile(result.latencies, 0.99),
    cpuUs: ((cpuSeconds() - cpu) / (rate * elapsed)) * 1e6,
  };
}

const ratiosOf = (side: Side, api: Side) =>
  side.measured.map(({ rate }, round) => rate / (api.measured[round]?.rate ?? Number.NaN));

function sectionOf(sides: Side[], { rounds, roundMs }: Bench['options']): Section {
  const rows = sides.map((side) => {
    const ratios = ratiosOf(side, sides[0] as Side);
    return [
      side.what,
      whole(median(side.measured.map(({ rate }) => rate))),
      decimals(median(side.measured.map(({ p99 }) => p99)), 1),
      decimals(median(side.measured.map(({ cpuUs }) => cpuUs)), 0),
      decimals(median(ratios), 2),
      `${decimals(Math.min(...ratios), 2)}–${decimals(Math.max(...ratios), 2)}`,
    ];
  });
  const text = [
    table(['', '/s', 'p99 ms', 'CPU µs each', '÷ API', 'min–max'], rows),
    '',
    `New leads over ${CONNECTIONS} connections, ${rounds} alternating rounds of ${roundMs / 1000} s each; the lead has the same fields each time. Forms are sent url-encoded and ` +
      'answer JSON; with consent each also stores its evidence. CPU: of service and PostgreSQL.',
  ].join('\n');
  return { title: 'Forms', text };
}

function targetOf(side: Side, api: Side): Target {
  const ratio = median(ratiosOf(side, api));
  return {
    what: `${side.what} ÷ POST of the API, ${CONNECTIONS} connections`,
    wanted: `≥ ${WANTED_RATIO}`,
    measured: decimals(ratio, 2),
    met: ratio >= WANTED_RATIO,
  };
}
