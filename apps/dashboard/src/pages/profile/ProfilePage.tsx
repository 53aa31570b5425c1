import { Loaded, PageHeader } from '../../parts/index.ts';
import { useMe } from '../../shell/account.ts';
import { NameSection } from './NameSection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { SecondFactorSection } from './SecondFactorSection.tsx';
import { SessionsSection } from './SessionsSection.tsx';

export function ProfilePage() {
  const me = useMe();
  return (
    <>
      <PageHeader title="Profile" description="Who you are, in every account that you belong to." />
      <Loaded query={me}>
        {(person) => (
          <>
            <NameSection me={person} />
            <PasswordSection email={person.email} />
            <SecondFactorSection isOn={person.second_factor} />
            <SessionsSection />
          </>
        )}
      </Loaded>
    </>
  );
}
