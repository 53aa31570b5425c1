import type { AppError, FieldError } from '../../../../platform/errors/index.ts';
import { type Html, html } from '../../../../platform/html/index.ts';
import { toPublicId } from '../../../../platform/ids/index.ts';
import type { PublicForm } from '../../forms/form.ts';
import { type Inputs, ownText } from '../inputs.ts';
import { OWN } from '../own-inputs.ts';
import { allHidden, anchorOf, type Filled, fieldsOf, hidden } from './fields.ts';

import type { Page } from './layout.ts';

export { sendPage } from './layout.ts';

/** What was sent, and the page that it was sent from. */
type Kept = { inputs: Inputs; pageUrl: string | null };

/** Where a form leads that names no page; with one it goes on to that. */
export const thanksPage = ({ redirectUrl }: PublicForm): Page => ({
  ...{ title: 'Thank you', leadsTo: redirectUrl && new URL(redirectUrl).href },
  body: html`<h1>Thank you</h1>
<p>Your details have arrived. ${redirectUrl === null ? 'You can close this page.' : html`<a href="${redirectUrl}">Go on</a>`}</p>`,
});

/** The form as a page of ours. */
export const formPage = (form: PublicForm, submissionId: string): Page => ({
  ...{ title: form.name, leadsTo: null },
  body: html`<h1>${form.name}</h1>
${formOf(
  form,
  { inputs: new Map(), errors: [] },
  {
    // A person leaves it empty; it is out of the way of the keyboard and of screen readers.
    extra: html`<div class="trap" aria-hidden="true"><label for="website">Leave this empty</label><input type="text" id="website" name="${OWN.website}" tabindex="-1" autocomplete="off"></div>
${hidden(OWN.submissionId, submissionId)}`,
    button: 'Send',
  },
)}`,
});

/** What was sent, kept, with what is wrong with it and a button to send it again. */
export function againPage(form: PublicForm, failure: AppError, kept: Kept): Page {
  const errors = failure.errors ?? [];
  const filled: Filled = { inputs: kept.inputs, errors };
  const { heading, text } = saying(failure);
  return {
    ...{ title: heading, leadsTo: null },
    body: html`<h1>${heading}</h1>
<div class="notice" role="alert">
<p>${text}</p>${errors.length > 0 && list(form, filled)}
</div>
${formOf(form, filled, { extra: keptOf(errors, kept), button: 'Send again' })}`,
  };
}

/** The same while nothing is known of the form: what was typed goes along unseen. */
export function unknownPage(path: string, failure: AppError, kept: Kept): Page {
  const { heading, text } = saying(failure);
  return {
    ...{ title: heading, leadsTo: null },
    body: html`<h1>${heading}</h1>
<div class="notice" role="alert">
<p>${text}</p>
</div>
<form method="post" action="${path}" accept-charset="utf-8">
${allHidden(kept.inputs)}${keptOf([], kept)}<button type="submit">Send again</button>
</form>`,
  };
}

/** What arrived could not be read, so that none of it can be shown. */
export const unreadPage = (path: string, failure: AppError): Page => ({
  ...{ title: 'This was not sent', leadsTo: null },
  body: html`<h1>This was not sent</h1>
<div class="notice" role="alert">
<p>${unreadBecause(failure.status)} Nothing was stored.</p>
</div>
<p>Go back with your browser: what you typed is still there. Or <a href="${path}">fill in the form here</a>.</p>`,
});

function unreadBecause(status: number): string {
  if (status === 413) return 'What was typed is too long.';
  if (status === 429) return 'The form is being sent too often right now.';
  if (status >= 500) return 'It could not be stored right now.';
  return 'The form arrived in a way that could not be read.';
}

export const pathOf = ({ id }: Pick<PublicForm, 'id'>): string =>
  `/forms/${toPublicId('form', id)}`;

const formOf = (
  form: PublicForm,
  filled: Filled,
  { extra, button }: { extra: Html; button: string },
): Html => html`<form method="post" action="${pathOf(form)}" accept-charset="utf-8">
${fieldsOf(form, filled)}${extra}<button type="submit">${button}</button>
</form>`;

/** The form's own inputs as they were, so that the same submission stays the same; how long it took is over, and the trap is left out. */
function keptOf(errors: readonly FieldError[], { inputs, pageUrl }: Kept): Html {
  const id = ownText(inputs, OWN.submissionId);
  const isBad = errors.some(({ path }) => path === OWN.submissionId);
  return html`${id !== undefined && !isBad && hidden(OWN.submissionId, id)}${pageUrl !== null && hidden(OWN.pageUrl, pageUrl)}`;
}

const list = (form: PublicForm, filled: Filled): Html => html`
<ul>
${filled.errors.map(({ path, message }) => {
  const anchor = anchorOf(form, filled, path);
  return anchor
    ? html`<li><a href="#${anchor}">${message}</a></li>\n`
    : html`<li>${message}</li>\n`;
})}</ul>`;

function saying({ status, code, errors, headers }: AppError): { heading: string; text: string } {
  const seconds = headers['retry-after'];
  const notYet = 'Not sent yet';
  if (errors) return { heading: 'Please check what you typed', text: 'It was not sent yet:' };
  if (status === 429) {
    const text = `The form is being sent too often right now. What you typed is kept: send it again ${inWords(Number(seconds))}.`;
    return { heading: notYet, text };
  }
  if (code === 'looks_automated') {
    const text =
      'This looked as if a program had filled in the form. If you are a person, nothing is lost: look at it once more and send it again.';
    return { heading: notYet, text };
  }
  if (status === 403) {
    const text =
      'The form may not be sent from the page that you came from. What you typed is kept: you can send it from here.';
    return { heading: notYet, text };
  }
  const text =
    'It could not be stored right now. What you typed is kept: send it again in a moment.';
  return { heading: notYet, text };
}

/** `in 5 minutes`: rounded up, since whoever comes too early is refused again. */
function inWords(seconds: number): string {
  if (seconds > 2 * 3600) return `in ${Math.ceil(seconds / 3600)} hours`;
  if (seconds > 2 * 60) return `in ${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? 'in a second' : `in ${seconds} seconds`;
}
