import type { Form, FormField } from '@leadwire/contract/dashboard';
import { escapeText } from '../../../platform/html/index.ts';
import { INPUT_KINDS, type InputKind } from './input-kinds.ts';

const AWAY =
  'position:absolute;left:-10000px;width:1px;height:1px;overflow:hidden;white-space:nowrap';

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
  const kind = attributesOf(INPUT_KINDS[to]);
  return `\
  <p>
    <label for="${id}">${escapeText(label)}</label><br>
    <input id="${id}" name="${escapeText(name)}" ${kind}${required ? ' required' : ''}>
  </p>`;
}

function attributesOf(kind: InputKind | undefined): string {
  if (!kind) return 'type="text"';
  const { type, autocomplete, maxLength } = kind;
  const keyboard = type === 'text' ? '' : ` inputmode="${type}"`;
  return `type="${type}" autocomplete="${autocomplete}"${keyboard} maxlength="${maxLength}"`;
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
