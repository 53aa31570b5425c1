import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ConfigError,
  integer,
  oneOf,
  onOff,
  readSettings,
  text,
  unknownSettings,
} from './index.ts';

const SETTINGS = {
  port: { name: 'PORT', default: '3000', doc: '', parse: integer(0, 65_535) },
  mode: { name: 'LEADWIRE_MODE', doc: '', parse: oneOf('all', 'api') },
  quiet: { name: 'LEADWIRE_QUIET', doc: '', parse: onOff },
  place: { name: 'LEADWIRE_PLACE', default: './data', doc: '', parse: text },
};

describe('settings', () => {
  test('come from the environment, else from the default, else are absent', () => {
    const values = readSettings(SETTINGS, { PORT: '80', LEADWIRE_QUIET: 'off' });
    assert.deepEqual({ ...values }, { port: 80, quiet: false, place: './data' });
  });

  test('take an empty variable for an absent one', () => {
    const values = readSettings(SETTINGS, { PORT: '', LEADWIRE_MODE: '' });
    assert.deepEqual([values.port, values.mode], [3000, undefined]);
  });

  test('are frozen', () => {
    const values = readSettings(SETTINGS, {});
    assert.throws(() => Object.assign(values, { port: 1 }), TypeError);
  });

  test('that are bad are all named in one failure, each with what would be right', () => {
    const env = { PORT: 'abc', LEADWIRE_MODE: 'worker', LEADWIRE_QUIET: 'perhaps' };
    assert.throws(
      () => readSettings(SETTINGS, env),
      (error) => {
        assert.ok(error instanceof ConfigError);
        assert.deepEqual(error.message.split('\n'), [
          'PORT: must be a whole number from 0 to 65535',
          'LEADWIRE_MODE: must be one of all, api',
          'LEADWIRE_QUIET: must be on or off',
        ]);
        return true;
      },
    );
  });

  test('that are mistyped are found by their prefix', () => {
    const env = { LEADWIRE_MOOD: 'all', LEADWIRE_MODE: 'all', PATH: '/bin', leadwire_mode: 'x' };
    assert.deepEqual(unknownSettings(SETTINGS, env), ['LEADWIRE_MOOD']);
  });
});

describe('a whole number', () => {
  const port = integer(0, 65_535);
  for (const good of ['0', '1', '3000', '65535']) {
    test(`${good} is read`, () => assert.equal(port(good), Number(good)));
  }
  for (const bad of [
    '-1',
    '65536',
    '1.5',
    '1e3',
    '0x10',
    ' 80',
    '80 ',
    '٣',
    'NaN',
    'Infinity',
    '',
  ]) {
    test(`${JSON.stringify(bad)} is refused`, () =>
      assert.throws(() => port(bad), /from 0 to 65535/));
  }
});

test('on and off have their usual names in any case', () => {
  assert.deepEqual(['1', 'true', 'ON', 'Yes'].map(onOff), [true, true, true, true]);
  assert.deepEqual(['0', 'False', 'off', 'NO'].map(onOff), [false, false, false, false]);
  for (const bad of ['', '2', 'enabled', ' on', 'on\n']) assert.throws(() => onOff(bad));
});
