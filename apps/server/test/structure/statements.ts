/** Tables whose rows belong to an account. */
export const ACCOUNT_TABLES = [
  'campaigns',
  'api_keys',
  'leads',
  'lead_audit_records',
  'lead_consents',
  'events',
  'webhooks',
  'webhook_queues',
  'deliveries',
  'delivery_attempts',
  'webhook_replays',
  'members',
  'invitations',
  'refused_requests',
  'unaccounted_events',
  'counts',
  'tallies',
  'imports',
  'import_parts',
  'import_outcomes',
  'import_bad_rows',
  'import_mappings',
  'forms',
  'form_consent_texts',
  'form_log',
];

const TABLES = ACCOUNT_TABLES.join('|');
const WORD_BEFORE_ALIAS =
  'where|on|set|join|left|inner|cross|group|order|limit|for|returning|using|union|select|lateral|substituted';
/** A FROM list up to a comma. */
const LISTED = String.raw`\bfrom\s(?:(?!\b(?:where|group|order|limit)\b)[\w\s])*`;
const LISTS = new RegExp(`\\bjoin\\b|${LISTED},`, 'i');
const READ = new RegExp(
  `(?:\\b(?:from|join|update|using)|(?<=${LISTED}),)\\s+(?:only\\s+)?(${TABLES})\\b(?:\\s+as)?(?:\\s+(?!(?:${WORD_BEFORE_ALIAS})\\b)(\\w+))?`,
  'gi',
);
const INSERT = new RegExp(`\\binsert\\s+into\\s+(${TABLES})\\s*\\(([^)]*)\\)`, 'gi');
const INSERT_ANY = new RegExp(`\\binsert\\s+into\\s+(${TABLES})\\b`, 'gi');

/** True for a literal that says something to the database. */
export const isStatement = (literal: string): boolean =>
  /\b(?:select\s[\s\S]*\bfrom|insert\s+into|update\s+\w+\s+(?:\w+\s+)?set|delete\s+from|truncate|merge\s+into)\b/i.test(
    literal,
  );

/**
 * Where a statement reads or writes rows of an account table without naming account_id, as far as its text shows:
 * each SELECT, UPDATE and DELETE on such a table, subselects by themselves, must compare that table's account_id in
 * its own WHERE or ON with a parameter or another account_id; each JOIN must name it, each INSERT must list it. It sees text alone: not what a parameter holds, nor whether
 * AND has become OR.
 */
export function findUnscoped(statement: string): string[] {
  return blocksOf(statement).flatMap((block) => [
    ...unscopedReads(block),
    ...unscopedJoins(block),
    ...unscopedInserts(block),
  ]);
}

function unscopedReads(block: string): string[] {
  const found: string[] = [];
  for (const [, table = '', alias] of block.matchAll(READ)) {
    const conditions = conditionsOf(block);
    const owner = alias ?? table;
    const only = [...block.matchAll(READ)].length === 1 && !LISTS.test(block);
    const name = only ? `(?:${owner}\\.)?account_id` : `${owner}\\.account_id`;
    const other = '(?:\\$\\d+|\\w+\\.account_id)';
    const compared = new RegExp(
      `(?<![\\w.])${name}\\s*=\\s*${other}|${other}\\s*=\\s*${name}\\b`,
      'i',
    );
    if (!compared.test(conditions)) found.push(`${table} in: ${short(block)}`);
  }
  return found;
}

/** Joins of whatever tables: a row of one account must never meet one of another. ON true belongs to LATERAL. */
function unscopedJoins(block: string): string[] {
  const joins = block.matchAll(
    /\bjoin\b(?:(?!\bjoin\b)[\s\S])*?\bon\b([\s\S]*?)(?=\b(?:where|left|join|group by|order by|limit)\b|$)/gi,
  );
  return [...joins]
    .filter(([, condition = '']) => !/\baccount_id\b|^\s*true\b/i.test(condition))
    .map(([, condition = '']) => `join without account_id: ${short(condition)}`);
}

function unscopedInserts(block: string): string[] {
  const listed = [...block.matchAll(INSERT)].filter(([, , columns]) =>
    /\baccount_id\b/.test(columns ?? ''),
  );
  const all = [...block.matchAll(INSERT_ANY)];
  return all.length === listed.length ? [] : [`insert without account_id in: ${short(block)}`];
}

/** What follows WHERE and ON in a block. */
const conditionsOf = (block: string): string =>
  [
    ...block.matchAll(
      /\b(?:where|on)\b([\s\S]*?)(?=\b(?:group by|order by|limit|returning|left join|join|union)\b|$)/gi,
    ),
  ]
    .map(([, condition]) => condition)
    .join(' ; ');

/**
 * The statement cut into queries: what is in brackets and says SELECT, INSERT, UPDATE or DELETE is one by itself,
 * and so is each side of a UNION.
 */
function blocksOf(statement: string): string[] {
  const blocks: string[] = [];
  let rest = statement.replace(/\$\{[^}]*\}/g, ' substituted ');
  const INNERMOST = /\(([^()]*)\)/;
  for (let match = INNERMOST.exec(rest); match; match = INNERMOST.exec(rest)) {
    const inner = match[1] as string;
    const isQuery = /^\s*(?:select|insert|update|delete|with)\b/i.test(inner);
    if (isQuery) blocks.push(...split(restored(inner)));
    const stand = isQuery ? ' subquery ' : `\u27e8${inner}\u27e9`;
    rest = rest.slice(0, match.index) + stand + rest.slice(match.index + match[0].length);
  }
  return [...blocks, ...split(restored(rest))];
}

const restored = (text: string): string => text.replaceAll('\u27e8', '(').replaceAll('\u27e9', ')');
const split = (text: string): string[] => text.split(/\bunion(?:\s+all)?\b/i);
const short = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 160);
