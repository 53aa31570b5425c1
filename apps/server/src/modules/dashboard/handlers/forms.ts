import type { FormAnswers } from '@leadwire/contract/dashboard';
import type { Forms } from '../../intake/index.ts';
import type { DashboardHandlers } from '../request.ts';

type Deps = { forms: Pick<Forms, 'manage' | 'embedding' | 'log'> };

/** Forms that leads come by: made and changed, pasted into pages, and what became of their submissions. */
export function formHandlers({ forms }: Deps): DashboardHandlers<keyof FormAnswers> {
  const { manage } = forms;
  return {
    listForms: async ({ accountId }) => ({ forms: await manage.list(accountId) }),
    createForm: ({ accountId, body }) => manage.create(accountId, body),
    getForm: ({ accountId, params }) => manage.get(accountId, params.form),
    changeForm: ({ accountId, params, body }) => manage.change(accountId, params.form, body),
    getEmbedding: ({ accountId, params }) => forms.embedding(accountId, params.form),
    listFormLog: async ({ accountId, params }) => ({
      entries: await forms.log(accountId, params.form),
    }),
    makeGoogleKey: ({ accountId, params }) => manage.makeGoogleKey(accountId, params.form),
    endGoogleKey: ({ accountId, params }) => manage.endGoogleKey(accountId, params.form),
  };
}
