import type { Form, FormField } from '@leadwire/contract/dashboard';
import { escapeText } from '../submission/pages/html.ts';

const AWAY =
  'position:absolute;left:-10000px;width:1px;height:1px;overflow:hidden;white-space:nowrap';

/** How browsers can help with what goes where (HTML Living Standard, section "Autofill"). */
const INPUTS: Record<string, string> = {
  first_name: 'type="text" autocomplete="given-name" maxlength="100"',
  last_name: 'type="text" autocomplete="family-name" maxlength="100"',
  email: 'type="email" autocomplete="email" inputmode="email" maxlength="320"',
  phone: 'type="tel" autocomplete="tel" inputmode="tel" maxlength="50"',
  'address.street': 'type="text" autocomplete="address-line1" maxlength="255"',
  'address.city': 'type="text" autocomplete="address-level2" maxlength="255"',
  'address.state': 'type="text" autocomplete="address-level1" maxlength="255"',
  'address.zip': 'type="text" autocomplete="postal-code" maxlength="255"',
};

/** The form as HTML to be pasted into a page: it needs no script and no stylesheet. Every text is escaped. */
export function renderForm({ id, url, fields, consent }: Form): string {
  // Apart from ids of the page, and from those of another form there.
  const prefix = `lw-${id.slice(-8)}`;
  const parts = [
    ...fields.map((field, index) => renderField(field, `${prefix}-${index + 1}`)),
    ...(consent ? [renderConsent(consent, `${prefix}-consent`)] : []),
    renderHoneypot(`${prefix}-website`),
  ];
  return `\
<form action="${escapeText(url)}" method="post">
${parts.join('\n')}
  <p><button type="submit">Send</button></p>
</form>`;
}

function renderField({ name, label, to, required }: FormField, id: string): string {
  const kind = INPUTS[to] ?? 'type="text"';
  return `\
  <p>
    <label for="${id}">${escapeText(label)}</label><br>
    <input id="${id}" name="${escapeText(name)}" ${kind}${required ? ' required' : ''}>
  </p>`;
}

function renderConsent(
  { version, text, required }: NonNullable<Form['consent']>,
  id: string,
): string {
  const lines = text.split('\n').map(escapeText).join('<br>');
  return `\
  <p>
    <input id="${id}" name="_consent" type="checkbox" value="yes"${required ? ' required' : ''}>
    <label for="${id}">${lines}</label>
    <input type="hidden" name="_consent_version" value="${version}">
  </p>`;
}

/** Out of sight, out of the order of the Tab key and of screen readers; whoever sees it all the same is told to leave it. */
const renderHoneypot = (id: string): string => `\
  <div aria-hidden="true" style="${AWAY}">
    <label for="${id}">Leave this empty</label>
    <input id="${id}" name="_website" type="text" tabindex="-1" autocomplete="off">
  </div>`;
