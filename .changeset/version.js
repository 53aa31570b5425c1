// `npm run release`: turns the files of .changeset into the next version of everything, and its part of CHANGELOG.md.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const cwd = fileURLToPath(new URL('..', import.meta.url));
process.chdir(cwd);
const run = (program, ...args) => execFileSync(program, args, { stdio: 'inherit' });
const versionIn = (file) => /"version": "([^"]+)"/.exec(readFileSync(file, 'utf8'))[1];

run('changeset', 'version');

// apps/server/CHANGELOG.md is a link to the one at the root; in the other packages nothing ever stands but headings.
for (const file of globSync(['{apps,packages}/*/CHANGELOG.md', '{bench,examples}/CHANGELOG.md'])) {
  if (file !== 'apps/server/CHANGELOG.md') rmSync(file);
}

// The root is no package to changesets.
const version = versionIn('apps/server/package.json');
const root = readFileSync('package.json', 'utf8');
writeFileSync('package.json', root.replace(/"version": "[^"]+"/, `"version": "${version}"`));
run('npm', 'install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund');
console.log(`Everything is ${version}. Read CHANGELOG.md, commit, tag v${version}.`);
