import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (path: string) => readFileSync(ROOT + path, 'utf8');

type Manifest = {
  name?: string;
  version?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
};
const manifests = new Map<string, Manifest>(
  globSync('{.,apps/*,packages/*,bench,examples}/package.json', { cwd: ROOT }).map((path) => [
    path,
    JSON.parse(read(path)),
  ]),
);
const version = manifests.get('apps/server/package.json')?.version;
const ours = (name: string) => name === 'leadwire' || name.startsWith('@leadwire/');

test('all packages have one version, and depend on one another by it', () => {
  assert.ok(manifests.size >= 7, [...manifests.keys()].join());
  for (const [path, manifest] of manifests) {
    assert.equal(manifest.version, version, path);
    const needed = { ...manifest.dependencies, ...manifest.devDependencies };
    for (const [name, range] of Object.entries(needed)) {
      if (ours(name)) assert.equal(range, version, `${path}: ${name}`);
    }
  }
});

test('package-lock.json has the same versions', () => {
  const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, Manifest> };
  for (const [path, manifest] of manifests) {
    const locked = lock.packages[path.replace(/\/?package\.json$/, '').replace(/^\.$/, '')];
    assert.equal(locked?.version, manifest.version, path);
    for (const kind of ['dependencies', 'devDependencies'] as const) {
      assert.deepEqual(locked?.[kind] ?? {}, manifest[kind] ?? {}, `${path}: ${kind}`);
    }
  }
});

test('the newest part of CHANGELOG.md is that of this version, and it says something', () => {
  const [heading, ...lines] = read('CHANGELOG.md')
    .slice(read('CHANGELOG.md').indexOf('\n## ') + 1)
    .split('\n');
  assert.equal(heading, `## ${version}`);
  assert.match(lines.slice(0, 4).join('\n'), /^- \w/m);
});

test('what waits for a release names the product, whose version all packages have', () => {
  for (const path of globSync('.changeset/*.md', { cwd: ROOT })) {
    if (path.endsWith('README.md')) continue;
    assert.match(
      read(path),
      /^---\n["']?leadwire["']?: (?:patch|minor|major)\n---\n\n- \S/,
      `${path}: the head names leadwire alone, the text is a list`,
    );
  }
});
