import type { Seed } from './seed.ts';

/** What the global setup hands to the test files. */
export type Ground = {
  /** postgres:// URL of the superuser. */
  adminUrl: string;
  /** postgres:// URL of the service's role. */
  serviceUrl: string;
  /** LEADWIRE_ENCRYPTION_KEY that the seeded secrets are encrypted with. */
  encryptionKey: string;
  seed: Seed;
};

const VARIABLE = 'LEADWIRE_TEST_GROUND';

export function publishGround(ground: Ground): void {
  process.env[VARIABLE] = JSON.stringify(ground);
}

/** @throws where the global setup did not run */
export function ground(): Ground {
  const text = process.env[VARIABLE];
  if (!text) {
    throw new Error(
      'Run the tests with --test-global-setup=apps/server/test/support/global-setup.ts (npm test does).',
    );
  }
  return JSON.parse(text) as Ground;
}
