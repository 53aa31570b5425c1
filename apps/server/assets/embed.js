// Leadwire: sends forms without leaving the page, errors beside the inputs. Plain forms without it.
// The attribute data-thanks of a form is what it says afterwards.
(() => {
  if (!window.fetch || !window.FormData || !window.URLSearchParams) return;
  const loadedAt = Date.now();

  const newId = () => crypto.getRandomValues(new Uint32Array(4)).join('-');

  const say = (box, text) => {
    box.textContent = text;
    box.hidden = !text;
  };

  const set = (form, name, value) => {
    let input = form.querySelector(`input[name="${name}"]`);
    if (!input) {
      input = document.createElement('input');
      input.type = 'hidden';
      input.name = name;
      form.append(input);
    }
    input.value = value;
  };

  const clear = (form) => {
    for (const old of form.querySelectorAll('[data-lw-error]')) old.remove();
    for (const input of form.querySelectorAll('[aria-invalid]')) {
      input.removeAttribute('aria-invalid');
      input.removeAttribute('aria-describedby');
    }
  };

  // What has no input of its own is said at the end of the form.
  const showErrors = (form, box, errors) => {
    const others = [];
    let first;
    errors.forEach(({ path, message }, index) => {
      const input = [...form.querySelectorAll('[name]')].find(
        (one) => one.name === path && one.type !== 'hidden',
      );
      if (!input) {
        others.push(message);
        return;
      }
      const shown = document.createElement('div');
      shown.id = `${input.id || 'lw'}-error-${index}`;
      shown.className = 'lw-error';
      shown.dataset.lwError = '';
      shown.textContent = message;
      (input.parentElement || form).append(shown);
      input.setAttribute('aria-invalid', 'true');
      input.setAttribute('aria-describedby', shown.id);
      first = first || input;
    });
    say(box, others.join(' '));
    if (first) first.focus();
  };

  const succeed = (form, answer) => {
    if (answer.redirect_url) {
      location.assign(answer.redirect_url);
      return;
    }
    const thanks = document.createElement('p');
    thanks.setAttribute('role', 'status');
    thanks.tabIndex = -1;
    thanks.textContent = form.dataset.thanks || 'Thank you. We have received what you sent.';
    form.replaceWith(thanks);
    thanks.focus();
  };

  const waitFor = (response) => {
    const seconds = Math.max(2, response.headers.get('retry-after') || 60);
    return `This is being sent too often right now. Please send it again in ${seconds} seconds; what you typed stays here.`;
  };

  const send = async (form, box) => {
    set(form, '_elapsed_ms', Date.now() - loadedAt);
    set(form, '_page_url', location.href);
    // Url-encoded: browsers ask no other origin for leave first.
    const response = await fetch(form.getAttribute('action'), {
      method: 'POST',
      body: new URLSearchParams(new FormData(form)),
      headers: { accept: 'application/json' },
      credentials: 'omit',
    });
    const answer = await response.json().catch(() => ({}));
    clear(form);
    say(box, '');
    // Autofill.
    if (answer.error === 'looks_automated') set(form, '_website', '');
    if (response.ok) succeed(form, answer);
    else if (response.status === 429) say(box, waitFor(response));
    else if (answer.errors?.length) showErrors(form, box, answer.errors);
    else if (response.status === 413)
      say(box, 'This is too long. Please shorten it and send it again.');
    else if (response.status < 500 && answer.message) say(box, answer.message);
    else say(box, 'This could not be sent. Please send it again; what you typed stays here.');
    return response.ok;
  };

  const enhance = (form) => {
    const box = document.createElement('p');
    box.setAttribute('role', 'alert');
    box.className = 'lw-error';
    box.hidden = true;
    form.append(box);
    // The same until the form was taken: sent twice it is one lead.
    set(form, '_submission_id', newId());
    let button;
    let isBusy = false;
    const setBusy = (busy) => {
      isBusy = busy;
      if (button) button.disabled = busy;
    };
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (isBusy) return;
      button = event.submitter;
      setBusy(true);
      const isTaken = await send(form, box).catch(() =>
        // A closed form answers as if there was none, which a page elsewhere may not read.
        say(box, 'There is no connection, or this form is closed. What you typed stays here.'),
      );
      if (isTaken) return;
      setBusy(false);
      if (button && !box.hidden) button.focus();
    });
    // Who comes back to a form that was taken may send another one.
    addEventListener('pageshow', (event) => {
      if (!event.persisted || !isBusy) return;
      set(form, '_submission_id', newId());
      setBusy(false);
    });
  };

  const start = () => {
    for (const form of document.querySelectorAll('form[action*="/forms/form_"]')) enhance(form);
  };
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start);
  else start();
})();
