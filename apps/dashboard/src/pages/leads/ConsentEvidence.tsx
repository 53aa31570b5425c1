import type { LeadConsent } from '@leadwire/contract/dashboard';
import { useApi } from '../../api/index.ts';
import { Facts, Mono, None, Section, TextLink, Timestamp } from '../../parts/index.ts';
import type { LeadParams } from './LeadPage.tsx';
import classes from './leads.module.css';

/** What the person agreed to on a form, as it was recorded; nothing where no form took a consent. */
export function ConsentEvidence({ params }: { params: LeadParams }) {
  const { data } = useApi('listConsents', { params });
  if (!data || data.consents.length === 0) return null;
  return (
    <Section
      title="Consent evidence"
      description="What the person was shown on a form and what they answered, recorded as it happened. It is never changed; erasing personal data blanks page, address and browser."
    >
      <ul className={classes.evidence}>
        {data.consents.map((consent) => (
          <li key={consent.version}>
            <Evidence {...{ consent, account: params.account }} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

const Evidence = ({ consent, account }: { consent: LeadConsent; account: string }) => (
  <>
    <p className={classes.evidenceText}>
      <b>{consent.given ? 'Agreed to' : 'Did not agree to'}</b>{' '}
      <span className={classes.text}>{consent.text}</span>
    </p>
    <Facts
      facts={[
        ['Version of the words', String(consent.text_version)],
        ['Sent', <Timestamp key="at" value={consent.at} />],
        [
          'Form',
          <TextLink
            key="form"
            to="/a/$account/forms/$form"
            params={{ account, form: consent.form_id }}
            size="sm"
          >
            {consent.form_name}
          </TextLink>,
        ],
        ['Page', orErased(consent.page_url)],
        ['Address', orErased(consent.address)],
        ['Browser', orErased(consent.user_agent)],
        ['Request', <Mono key="request">{consent.request_id}</Mono>],
      ]}
    />
  </>
);

const orErased = (value: string | null) =>
  value ? <span className={classes.text}>{value}</span> : <None>Not kept</None>;
