import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { describe, test } from 'node:test';
import { isForTests, readSources } from './source-files.ts';

type Import = { from: string; to: string };

const SPECIFIER = /(?:\bfrom|\bimport)\s*\(?\s*(['"])([^'"]+)\1/g;

const sources = await readSources();
const imports: Import[] = sources.flatMap(({ path, code }) =>
  [...code.matchAll(SPECIFIER)]
    .map(([, , specifier = '']) => specifier)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => ({ from: path, to: posix.join(posix.dirname(path), specifier) })),
);

/** The module that a file belongs to: leads, campaigns, …; undefined outside modules/. */
const moduleOf = (path: string): string | undefined => /^modules\/([^/]+)\//.exec(path)?.[1];
const isPlatform = (path: string) => path.startsWith('platform/');
/** What stands above the modules: the only files outside them that may import them. */
const isComposition = (path: string) =>
  // The reference describes what each route asks of its caller.
  /^(?:cli|reference)\//.test(path) ||
  ['app.ts', 'dashboard.ts', 'management.ts', 'wiring.ts', 'worker.ts', 'serve.ts'].includes(path);
const shown = ({ from, to }: Import) => `${from} imports ${to}`;
const offending = (isBad: (one: Import) => boolean) =>
  imports
    .filter(({ from }) => !isForTests(from))
    .filter(isBad)
    .map(shown);

describe('imports point one way', () => {
  test('and all of them are seen, and lead to files that exist', () => {
    assert.ok(imports.length > 200, `only ${imports.length} imports were found`);
    const paths = new Set(sources.map(({ path }) => path));
    const outside = (to: string) => to.startsWith('../');
    assert.deepEqual(imports.filter(({ to }) => !outside(to) && !paths.has(to)).map(shown), []);
  });

  test('platform knows nothing but platform', () => {
    assert.deepEqual(
      offending(({ from, to }) => isPlatform(from) && !isPlatform(to)),
      [],
    );
  });

  test('a module knows platform and other modules, and nothing that puts them together', () => {
    const isBad = ({ from, to }: Import) =>
      moduleOf(from) !== undefined && !isPlatform(to) && moduleOf(to) === undefined;
    assert.deepEqual(offending(isBad), []);
  });

  test('a module is entered through its index.ts alone', () => {
    const isBad = ({ from, to }: Import) => {
      const entered = moduleOf(to);
      return (
        entered !== undefined && entered !== moduleOf(from) && to !== `modules/${entered}/index.ts`
      );
    };
    assert.deepEqual(offending(isBad), []);
  });

  test('outside the modules only what puts them together, the command line and the reference enter them', () => {
    const isBad = ({ from, to }: Import) =>
      moduleOf(to) !== undefined && moduleOf(from) === undefined && !isComposition(from);
    assert.deepEqual(offending(isBad), []);
  });

  test('nothing of the server imports tests or what is for tests', () => {
    assert.deepEqual(
      offending(({ to }) => isForTests(to) || to.startsWith('../test/')),
      [],
    );
  });

  test('no modules import each other in a circle', () => {
    const edges = new Map<string, Set<string>>();
    for (const { from, to } of imports) {
      const [a, b] = [moduleOf(from), moduleOf(to)];
      if (a && b && a !== b) edges.set(a, (edges.get(a) ?? new Set()).add(b));
    }
    assert.ok(edges.get('leads')?.has('events'));
    assert.deepEqual(findCycle(edges), null);
  });

  test('and a circle would be found', () => {
    const graph = (...pairs: [string, string][]) => {
      const edges = new Map<string, Set<string>>();
      for (const [a, b] of pairs) edges.set(a, (edges.get(a) ?? new Set()).add(b));
      return edges;
    };
    assert.deepEqual(findCycle(graph(['a', 'b'], ['b', 'c'], ['c', 'a'])), ['a', 'b', 'c', 'a']);
    assert.equal(findCycle(graph(['a', 'b'], ['a', 'c'], ['b', 'd'], ['c', 'd'])), null);
  });
});

test('no file has more than 500 lines', () => {
  const long = sources.filter(({ text }) => text.split('\n').length - 1 > 500);
  assert.deepEqual(
    long.map(({ path }) => path),
    [],
  );
});

function findCycle(edges: Map<string, Set<string>>): string[] | null {
  const done = new Set<string>();
  const visit = (node: string, path: string[]): string[] | null => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return null;
    for (const next of edges.get(node) ?? []) {
      const cycle = visit(next, [...path, node]);
      if (cycle) return cycle;
    }
    done.add(node);
    return null;
  };
  for (const node of edges.keys()) {
    const cycle = visit(node, []);
    if (cycle) return cycle;
  }
  return null;
}
