import { version } from '../../../package.json';
import { useApi } from '../../api/index.ts';
import { CopyField, Facts, Loaded, PageHeader, Section, Timestamp } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import { FeaturesSection } from './FeaturesSection.tsx';
import { NameForm } from './NameForm.tsx';
import classes from './settings.module.css';

export function SettingsPage() {
  const account = useAccount();
  const settings = useApi('getAccount', { params: { account: account.id } });
  return (
    <>
      <PageHeader title="Settings" description={`What holds for all of ${account.name}.`} />
      <Loaded query={settings}>
        {({ id, name, created_at, features, retention }) => (
          <>
            <Section title="Account">
              <div className={classes.form}>
                <NameForm name={name} />
                <CopyField label="Account id" value={id} />
                <Facts
                  facts={[
                    ['Made', <Timestamp key="made" value={created_at} />],
                    ['Version of Leadwire', version],
                  ]}
                />
              </div>
            </Section>
            <FeaturesSection features={features} />
            <Section
              title="Retention"
              description="Leads and their audit records stay until they are erased. The logs below would grow for ever: what is older goes by itself."
            >
              <Facts
                facts={[
                  ['Delivery attempts', `${retention.attempt_days} days`],
                  ['Refused requests', `The last ${retention.refused_requests} of each key`],
                ]}
              />
            </Section>
          </>
        )}
      </Loaded>
    </>
  );
}
