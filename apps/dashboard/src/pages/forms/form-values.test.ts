import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ApiError } from '../../api/errors.ts';
import { bodyOf, inputName, linesOf, newField, newValues, valuesOf } from './form-values.ts';
import { refusalsOf, validate } from './validate.ts';

const chosen = { campaign_id: '1', key_id: '0195d3c0-0000-7000-8000-000000000000' };
const named = { ...newValues(chosen), name: ' Roof ' };

it('a name, a campaign and a key make a form that can be sent', () => {
  assert.deepEqual(validate(named), {});
  const { fields, ...others } = bodyOf(named);
  assert.deepEqual(others, {
    ...{ name: 'Roof', campaign_id: 1, key_id: chosen.key_id, consent: null },
    ...{ min_fill_seconds: 2, per_address_a_minute: 60, allowed_origins: [] },
    ...{ redirect_url: null, source: null, default_country: null },
  });
  assert.deepEqual(
    fields.map(({ to }) => to),
    ['first_name', 'last_name', 'email', 'phone'],
  );
});

it('a form that is edited without a change is sent as it was', () => {
  const body = {
    ...bodyOf(named),
    fields: [
      { name: 'mail', label: 'E-mail', to: 'email', required: true },
      { name: 'roof', label: 'Roof', to: 'custom_fields.roof type', required: false },
    ],
    consent: { text: 'Call me.', required: false },
    ...{ allowed_origins: ['https://a.example'], default_country: 'DE', source: 'site' },
  };
  const key = { id: body.key_id, public_key: 'lwpk_x', name: 'Site', state: 'active' as const };
  const form = {
    ...body,
    ...{ id: 'form_1', key, active: true, google_key_made_at: null, url: '', google_url: '' },
    consent: { ...body.consent, version: 3 },
    ...{ created_at: '', updated_at: '' },
  };
  assert.deepEqual(bodyOf(valuesOf(form)), body);
});

it('what is missing or there twice is said at its input', () => {
  const fields = [
    newField({ label: 'First', name: 'a', target: 'first_name' }),
    newField({ label: '', name: 'a', target: 'first_name' }),
    newField({ label: 'Third', name: '_x' }),
  ];
  const wrong = { ...named, name: ' ', campaign_id: '', fields, asksConsent: true };
  assert.deepEqual(Object.keys(validate({ ...wrong, min_fill_seconds: '' })).sort(), [
    ...['campaign_id', 'consent.text', 'fields', 'fields.1.label', 'fields.1.name'],
    ...['fields.1.target', 'fields.2.name', 'min_fill_seconds', 'name'],
  ]);
});

it('what the service refuses of a list stands at the input that shows the list', () => {
  const refused = (path: string) => ({ path, code: 'invalid', message: `${path} is wrong` });
  const error = new ApiError({
    ...{ status: 400, error: 'x', message: 'x', requestId: null, retryAfterSeconds: null },
    errors: ['allowed_origins.1', 'fields.0.to', 'fields.1.to', 'redirect_url'].map(refused),
  });
  const fields = [newField({ target: 'email' }), newField()];
  assert.deepEqual(refusalsOf(error, { ...named, fields }), {
    allowed_origins: 'Is wrong',
    'fields.0.target': 'Is wrong',
    'fields.1.custom': 'Is wrong',
    redirect_url: 'Is wrong',
  });
});

it('an input is named after its label, an origin is cut out of an address', () => {
  assert.equal(inputName(' Größe der Küche (m²)? '), 'große_der_kuche_m2');
  assert.equal(inputName('___'), '');
  assert.deepEqual(linesOf('https://a.example/x?y\nhttps://a.example, nonsense'), [
    'https://a.example',
    'nonsense',
  ]);
});
