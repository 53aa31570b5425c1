import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { useApi } from '../../api/index.ts';
import { ButtonLink, Section } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import classes from './overview.module.css';

type Step = { title: string; text: string; isDone: boolean; action: ReactNode };

/** The way to the first lead and the first delivery, for an account that has not had them. */
export function FirstSteps() {
  const steps = useSteps();
  if (!steps || steps.every(({ isDone }) => isDone)) return null;
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <Section title="First steps" description="From here to a lead that reaches your own system.">
      <ol className={classes.steps}>
        {steps.map((step, index) => (
          <li key={step.title} className={classes.step} data-done={step.isDone || undefined}>
            <span className={classes.stepMark} aria-hidden>
              {step.isDone ? <Check size={16} /> : index + 1}
            </span>
            <div>
              <p className={classes.stepTitle}>
                {step.title}
                {step.isDone ? <span className={classes.stepDone}>Done</span> : null}
              </p>
              <p className={classes.stepText}>{step.text}</p>
              {step === next ? step.action : null}
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** @returns null until it is known what is done */
function useSteps(): Step[] | null {
  const { id: account, may } = useAccount();
  const params = { account };
  const keys = useApi('listKeys', { params });
  const leads = useApi('listLeads', { params, query: { limit: 1 } });
  const webhooks = useApi('listWebhooks', { params });
  if (!keys.data || !leads.data) return null;
  const link = (to: '/a/$account/keys' | '/a/$account/webhooks', label: string) => (
    <ButtonLink to={to} params={params} size="xs">
      {label}
    </ButtonLink>
  );
  return [
    {
      title: 'Make an API key',
      text: may('keys.change')
        ? 'Whoever sends leads proves with it who they are. Its secret is shown once.'
        : 'Whoever sends leads proves with it who they are. An admin of the account makes it.',
      isDone: keys.data.keys.some(({ state }) => state === 'active'),
      action: link('/a/$account/keys', may('keys.change') ? 'Make a key' : 'See the keys'),
    },
    {
      title: 'Send a lead',
      text: 'A new key comes with a curl line that sends one, and with a program in your language. Leads also come from a form on your page, from Google Ads, and from a CSV file: see Forms and Imports.',
      isDone: leads.data.leads.length > 0,
      action: link('/a/$account/keys', 'Go to the keys'),
    },
    {
      title: 'Add a webhook',
      text: 'Tells your own system of each lead the moment it comes in.',
      isDone: (webhooks.data?.webhooks.length ?? 0) > 0,
      action: link('/a/$account/webhooks', 'Go to the webhooks'),
    },
  ];
}
