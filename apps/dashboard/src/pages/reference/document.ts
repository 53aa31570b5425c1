import { curlOf } from './curl.ts';
import { type Field, fieldsOf } from './fields.ts';

/** What is read of an OpenAPI 3.1 document; whatever else it holds is passed over. */
export type OpenApi = {
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, RawOperation>>;
  webhooks?: Record<string, { post: RawOperation }>;
  components: Record<string, Record<string, unknown>>;
};

type Content = Record<
  string,
  { schema?: unknown; examples?: Record<string, { summary?: string; value?: unknown }> }
>;
type RawParameter = {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: unknown;
  example?: unknown;
};
type RawOperation = {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: unknown[];
  requestBody?: { description?: string; content: Content };
  responses: Record<string, { description: string; content?: Content }>;
};

export type Example = { summary: string; text: string };
export type Parameter = Field & { in: string };
export type Answer = { status: string; fields: Field[]; examples: Example[] };
export type Failure = { status: string; description: string; codes: Example[] };

export type Operation = {
  /** Names it in the address: what stands behind #. */
  id: string;
  tag: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  parameters: Parameter[];
  body: { description: string; fields: Field[]; examples: Example[] } | null;
  curl: string | null;
  answers: Answer[];
  failures: Failure[];
};

export type Section = { name: string; description: string; operations: Operation[] };

/** Sets `#/a/b/c` of the same document in the place of { $ref }. */
export type Resolve = <T>(value: unknown) => T;

/** @param origin of the service, for examples. @returns operations by tag, in the order of the document; then the events */
export function readDocument(document: OpenApi, origin: string): Section[] {
  const resolve = resolverOf(document);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) =>
      readOperation(raw, { method: method.toUpperCase(), path, resolve, origin }),
    ),
  );
  const sections = (document.tags ?? []).map(({ name, description = '' }) => ({
    ...{ name, description },
    operations: operations.filter(({ tag }) => tag === name),
  }));
  const events = Object.entries(document.webhooks ?? {}).map(([type, { post }]) => ({
    ...readOperation(post, { method: 'EVENT', path: type, resolve, origin: null }),
    id: `event-${type}`,
    tag: EVENTS,
  }));
  return [
    ...sections.filter((section) => section.operations.length > 0),
    {
      name: EVENTS,
      description: 'What webhooks get: one POST for each event.',
      operations: events,
    },
  ];
}

const EVENTS = 'Events that are sent';

function resolverOf(document: OpenApi): Resolve {
  const resolve = (value: unknown): unknown => {
    const { $ref } = (value ?? {}) as { $ref?: string };
    if ($ref === undefined) return value;
    let found: unknown = document;
    for (const key of $ref.replace('#/', '').split('/')) {
      found = (found as Record<string, unknown>)[key];
    }
    return resolve(found);
  };
  return resolve as Resolve;
}

type Context = { method: string; path: string; resolve: Resolve; origin: string | null };

function readOperation(raw: RawOperation, context: Context): Operation {
  const { method, path, resolve, origin } = context;
  const parameters = (raw.parameters ?? []).map((parameter) => resolve<RawParameter>(parameter));
  const content = raw.requestBody?.content['application/json'];
  const examples = examplesOf(content, resolve);
  const responses = Object.entries(raw.responses);
  return {
    id: raw.operationId ?? `${method} ${path}`,
    tag: raw.tags?.[0] ?? '',
    ...{ method, path },
    summary: raw.summary ?? path,
    description: raw.description ?? '',
    parameters: parameters.map((parameter) => readParameter(parameter, resolve)),
    body: raw.requestBody
      ? {
          description: raw.requestBody.description ?? '',
          fields: fieldsOf(content?.schema, resolve),
          examples,
        }
      : null,
    curl:
      origin === null
        ? null
        : curlOf({ method, path, origin, parameters, body: firstValue(content, resolve) }),
    answers: responses
      .filter(([status]) => status.startsWith('2'))
      .map(([status, { content: body }]) => ({
        status,
        fields: fieldsOf(body?.['application/json']?.schema, resolve),
        examples: examplesOf(body?.['application/json'], resolve),
      })),
    failures: responses
      .filter(([status]) => !status.startsWith('2'))
      .map(([status, { description, content: body }]) => ({
        ...{ status, description },
        codes: examplesOf(body?.['application/json'], resolve),
      })),
  };
}

function readParameter(parameter: RawParameter, resolve: Resolve): Parameter {
  const { name, description = '', required = false, schema } = parameter;
  const [field] = fieldsOf({ properties: { [name]: schema } }, resolve);
  const rules = field?.rules ?? '';
  return { name, in: parameter.in, type: field?.type ?? 'string', required, rules, description };
}

const rawExamples = (content: Content[string] | undefined, resolve: Resolve) =>
  Object.entries(content?.examples ?? {}).map(([name, example]) => {
    const { summary = name, value } = resolve<{ summary?: string; value?: unknown }>(example);
    return { summary, value };
  });

const examplesOf = (content: Content[string] | undefined, resolve: Resolve): Example[] =>
  rawExamples(content, resolve).map(({ summary, value }) => ({
    summary,
    text: typeof value === 'string' ? value : JSON.stringify(value, null, 2),
  }));

const firstValue = (content: Content[string] | undefined, resolve: Resolve): unknown =>
  rawExamples(content, resolve)[0]?.value;

/** Those whose path, name or words hold every word of `query`. */
export function searchSections(sections: readonly Section[], query: string): Section[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...sections];
  const matches = (operation: Operation) => {
    const { id, method, path, summary, description, tag, body, parameters } = operation;
    const names = [...parameters, ...(body?.fields ?? [])].map(({ name }) => name);
    const text = [id, method, path, summary, description, tag, ...names].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return sections
    .map((section) => ({ ...section, operations: section.operations.filter(matches) }))
    .filter(({ operations }) => operations.length > 0);
}
