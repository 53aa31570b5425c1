import { createHash } from 'node:crypto';
import { IMPORT_TARGETS } from '@leadwire/contract/dashboard';

type Target = (typeof IMPORT_TARGETS)[number];

const CUSTOM = 'custom_fields.';
const MAX_NAME = 100;

/** Headers that mean a field, in their plain form; English, German, Spanish, French, and as ad platforms and CRMs export them. */
const SYNONYMS: Record<Target, string> = {
  external_lead_id:
    'external lead id,external id,externe id,lead id,leadid,id,record id,contact id,kundennummer,referenz,reference,identifiant,numero cliente',
  phone:
    'phone,phone number,phone 1 value,telephone,tel,mobile,mobile phone,mobile phone number,mobile number,cell,cell phone,work phone,telefon,telefonnummer,handy,handynummer,mobil,mobiltelefon,rufnummer,telefono,numero de telefono,movil,celular,numero de telephone,portable,telefoonnummer,telefone,cellulare',
  email:
    'email,e mail,email address,e mail address,mail,email 1 value,work email,e mail adresse,email adresse,mailadresse,correo,correo electronico,adresse e mail,adresse email,courriel,indirizzo email',
  first_name:
    'first name,firstname,given name,forename,vorname,nombre,primer nombre,prenom,voornaam,nome,primeiro nome',
  last_name:
    'last name,lastname,surname,family name,nachname,familienname,apellido,apellidos,nom,nom de famille,achternaam,cognome,sobrenome',
  full_name:
    'full name,fullname,name,your name,contact name,customer name,client name,naam,kundenname,vollstandiger name,vor und nachname,vorname nachname,nombre completo,nombre y apellidos,nom complet,nome completo,nome e cognome',
  source:
    'source,lead source,original source,original traffic source,utm source,quelle,leadquelle,herkunft,fuente,origen,origine,platform',
  source_form_url:
    'source form url,form url,page url,landing page,landing page url,url,website url,conversion page,formular url',
  tcpa_consent:
    'tcpa consent,consent,opt in,optin,marketing consent,einwilligung,zustimmung,consentimiento,consentement',
  tcpa_consent_text: 'tcpa consent text,consent text,einwilligungstext,disclaimer',
  tcpa_consent_timestamp:
    'tcpa consent timestamp,consent timestamp,consent date,consent time,opt in date,opt in time,einwilligung am,datum der einwilligung',
  status: 'status,lead status,lifecycle stage,estado del lead,statut',
  'address.street':
    'address street,street,street address,address,address 1,address line 1,strasse,anschrift,adresse,direccion,calle,rue,indirizzo',
  'address.city': 'address city,city,town,stadt,ort,wohnort,ciudad,localidad,ville,citta,plaats',
  'address.state': 'address state,state,region,state region,province,bundesland,provincia,estado',
  'address.zip':
    'address zip,zip,zip code,zipcode,postal code,postcode,post code,plz,postleitzahl,codigo postal,code postal,cap',
  // By its exact name alone: others mean one field by it.
  custom_fields: 'custom_fields',
};

const TARGET_OF = new Map(
  Object.entries(SYNONYMS).flatMap(([target, names]) =>
    names.split(',').map((name) => [name, target] as const),
  ),
);

/** Letters and digits of a header, without case, accents and what stands between. */
const plain = (header: string): string =>
  header
    .replace(/ß/g, 'ss')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The headers as the columns are called: printable, never empty, no two the same (`Note`, `Note_2`). */
export function nameColumns(header: string[]): { columns: string[]; repeated: string[] } {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  const columns = header.map((cell, index) => {
    const name = cutTo(
      MAX_NAME - 4,
      cell
        .toWellFormed()
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .trim(),
    );
    const given = name || `column_${index + 1}`;
    let unique = given;
    for (let n = 2; seen.has(unique); n++) unique = `${given}_${n}`;
    if (unique !== given) repeated.add(given);
    seen.add(unique);
    return unique;
  });
  return { columns, repeated: [...repeated] };
}

const cutTo = (length: number, text: string) => text.slice(0, length).toWellFormed();

// What our own export has beside each lead, and an import cannot set.
const GIVEN_BY_US = new Set(['id', 'campaign_id', 'created_at', 'updated_at']);

/** Whether a file has the columns of our own export: its cells are as they were, to the last space. */
export const isOurExport = (columns: string[]): boolean =>
  ['external_lead_id', ...GIVEN_BY_US].every((one) => columns.includes(one));

/** Where each column probably goes; what is not known goes to custom_fields under its own name, so that nothing is lost. */
export function suggestTargets(columns: string[]): (string | null)[] {
  const isOurs = isOurExport(columns);
  const ofResult = resultColumnsOf(columns);
  const found = columns.map(
    (column) => IMPORT_TARGETS.find((one) => one === column) ?? TARGET_OF.get(plain(column)),
  );
  const hasOwnId = found.slice(ofResult).includes('external_lead_id');
  const isLeftOut = (index: number) => hasOwnId || columns[index] !== 'external_lead_id';
  const taken = new Set<string>();
  return columns.map((column, index) => {
    if (isOurs && GIVEN_BY_US.has(column)) return null;
    if (index < ofResult && isLeftOut(index)) return null;
    const target = found[index] === 'full_name' ? nameTargetOf(column, found) : found[index];
    if (target === undefined || taken.has(target)) return customFieldOf(column);
    taken.add(target);
    return target;
  });
}

/** "Name" beside "Vorname" is the other half of a name; alone it is all of it. */
function nameTargetOf(column: string, found: readonly unknown[]): Target | undefined {
  const [hasFirst, hasLast] = [found.includes('first_name'), found.includes('last_name')];
  if (!hasFirst && !hasLast) return 'full_name';
  if (plain(column) !== 'name' || (hasFirst && hasLast)) return undefined;
  return hasFirst ? 'last_name' : 'first_name';
}

/** What a result file has before the columns of the file that it is about. */
export const RESULT_COLUMNS = ['line', 'outcome', 'lead_id', 'external_lead_id', 'errors'] as const;

/** How many columns of a file are those of a result file: its rows may be mended where the errors stand, and imported again. */
export const resultColumnsOf = (columns: readonly string[]): number =>
  RESULT_COLUMNS.every((name, index) => columns[index] === name) ? RESULT_COLUMNS.length : 0;

/** A column of our own export keeps the name of its custom field. */
const customFieldOf = (column: string): string =>
  column.startsWith(CUSTOM) && column.length > CUSTOM.length ? column : CUSTOM + column;

/** The targets as they were chosen before, by header; the others as suggested, and no target twice. */
export function withRemembered(
  columns: string[],
  remembered: Record<string, string | null>,
): (string | null)[] {
  const suggested = suggestTargets(columns);
  const known = new Map(Object.entries(remembered));
  const taken = new Set(columns.map((column) => known.get(column)));
  return columns.map((column, index) => {
    const before = known.get(column);
    if (before !== undefined) return before;
    const target = suggested[index] ?? null;
    return target !== null && taken.has(target) ? customFieldOf(column) : target;
  });
}

/** What is wrong with a target. @returns null for a good one */
export function problemOf(target: string): string | null {
  if ((IMPORT_TARGETS as readonly string[]).includes(target)) return null;
  if (/^custom_fields\.[^\p{Cc}]{1,100}$/u.test(target)) return null;
  return `must be ${IMPORT_TARGETS.join(', ')} or custom_fields.<name>`;
}

/** By which a file with the same headers is known again. */
export const headersName = (columns: string[]): string =>
  `headers ${createHash('sha256').update(JSON.stringify(columns)).digest('hex')}`;

export const sourceName = (source: string): string => `source ${source}`;
