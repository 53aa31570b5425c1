import { Alert } from '@mantine/core';
import { useApi } from '../../api/index.ts';
import { TextLink } from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';

/** Says that forms as a whole are switched off, where they are. */
export function FormsOff() {
  const { id: account } = useAccount();
  const { data } = useApi('getAccount', { params: { account } });
  const feature = data?.features.find((one) => one.feature === 'forms');
  if (!feature || (feature.on && !feature.off_everywhere)) return null;
  return (
    <Alert color="yellow" mb="lg" title="Forms are switched off">
      {feature.off_everywhere ? (
        'Whoever runs this service has switched forms off: visitors get “not found” instead of a form, and what they send is not kept.'
      ) : (
        <>
          Visitors get “not found” instead of a form, and what they send is not kept. Switch capture
          forms on under{' '}
          <TextLink to="/a/$account/settings" params={{ account }} size="sm" underline="always">
            Settings
          </TextLink>
          .
        </>
      )}
    </Alert>
  );
}
