#!/usr/bin/env node
// Plain JavaScript that old versions of Node can read, so that they get a sentence and not a syntax error.
const OLDEST = 24;
const major = Number(process.versions.node.split('.')[0]);

if (major < OLDEST) {
  console.error(
    `Leadwire needs Node ${OLDEST}, and this is Node ${process.versions.node}. ` +
      'Run `npm ci` (without --ignore-scripts) in the checkout: it installs the right Node beside it, ' +
      'and `npm start` and `npx leadwire` use that one.',
  );
  process.exit(1);
}

import('../src/start.ts');
