import type { Overview } from '@leadwire/contract/dashboard';
import { BarList, formatCount, None, Section, type Series, TimeBars } from '../../parts/index.ts';
import classes from './overview.module.css';
import { comparison, RANGE_WORDS } from './range.ts';

type Leads = Overview['leads'];

const SERIES = [
  { key: 'inserted', label: 'inserted', tone: 1 },
  { key: 'patched', label: 'patched', tone: 2 },
  { key: 'deduped', label: 'deduped', tone: 3 },
] as const satisfies readonly Series<Leads['points'][number]>[];

/** Leads over time by what became of them, and where they came from. */
export function LeadFigures({ overview }: { overview: Overview }) {
  const { leads, step_seconds: stepSeconds } = overview;
  return (
    <>
      <Section
        title="Leads"
        description={`${sentenceOf(overview)} Inserted: not known before. Patched: known, something changed. Deduped: known, nothing changed.`}
      >
        <TimeBars label="Leads" points={leads.points} series={SERIES} stepSeconds={stepSeconds} />
      </Section>
      <div className={classes.columns}>
        <Section title="By campaign">
          <Parts label="Leads by campaign" items={leads.by_campaign.map(ofCampaign)} />
        </Section>
        <Section title="By source">
          <Parts label="Leads by source" items={leads.by_source.map(ofSource)} />
        </Section>
      </div>
    </>
  );
}

function sentenceOf({ range, leads: { totals, before } }: Overview): string {
  const { within, before: earlier } = RANGE_WORDS[range];
  const { inserted } = totals;
  const count = `${formatCount(inserted)} new ${inserted === 1 ? 'lead' : 'leads'} ${within}`;
  const compared = comparison(inserted, before.inserted);
  return compared ? `${count}, ${compared} in ${earlier}.` : `${count}.`;
}

type Item = Parameters<typeof BarList>[0]['items'][number];

const valuesOf = ({ inserted, patched, deduped }: Leads['totals']) => [inserted, patched, deduped];

const ofCampaign = (one: Leads['by_campaign'][number]): Item => ({
  key: String(one.campaign_id),
  label: one.name,
  values: valuesOf(one),
});

const ofSource = (one: Leads['by_source'][number]): Item => ({
  key: one.other ? 'other' : `=${one.source ?? ' '}`,
  label: labelOf(one),
  values: valuesOf(one),
});

function labelOf({ source, other }: Leads['by_source'][number]) {
  if (other) return <None>All others</None>;
  return source === null || source === '' ? <None>No source given</None> : source;
}

function Parts({ label, items }: { label: string; items: Item[] }) {
  if (items.length === 0) return <p className={classes.nothing}>No leads in this time.</p>;
  return <BarList label={label} items={items} series={SERIES} />;
}
