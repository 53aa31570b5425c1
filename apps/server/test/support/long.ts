/**
 * Whether this is the long run (`npm run test:long`), where tests that try much at random or under load try more of it. Files
 * that are for that run alone are named *.long.test.ts.
 */
export const isLong = process.env.LEADWIRE_TEST_LONG === '1';
