import { Section } from '../../parts/index.ts';
import { Snippets } from '../../snippets/index.ts';

/** How to check what arrives; the secret itself was shown once. */
export const Verification = () => (
  <Section
    title="Check what arrives"
    description="A program that receives events and checks their signatures. Put the signing secret, which was shown once, where whsec_… stands; then send a test."
  >
    <Snippets purpose="verify" environment={{ LEADWIRE_WEBHOOK_SECRET: 'whsec_…' }} />
  </Section>
);
