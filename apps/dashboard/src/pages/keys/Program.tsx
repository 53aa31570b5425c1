import type { ApiKey } from '@leadwire/contract/dashboard';
import { Section } from '../../parts/index.ts';
import { Snippets, withCampaign } from '../../snippets/index.ts';
import type { SnippetInput } from './snippets.ts';
import { useSnippetInput } from './useSnippetInput.ts';

/** A whole program that signs and sends a lead with a key. */
export const Program = ({ origin, publicKey, secretKey, campaign }: SnippetInput) => (
  <Snippets
    purpose="send"
    environment={{
      LEADWIRE_URL: origin,
      LEADWIRE_PUBLIC_KEY: publicKey,
      LEADWIRE_SECRET_KEY: secretKey,
    }}
    adapt={(code) => withCampaign(code, campaign)}
  />
);

/** The same on the page of a key, whose secret only its holder has; nothing where the key sends no leads. */
export function KeyProgram({ apiKey }: { apiKey: ApiKey }) {
  const input = useSnippetInput(apiKey, 'lwsk_…');
  if (!input.mayWrite || apiKey.state !== 'active') return null;
  return (
    <Section
      title="Send a lead with it"
      description="A program that signs, sends and retries as it should. Put the secret key, which was shown once, where lwsk_… stands."
    >
      <Program {...input} />
    </Section>
  );
}
