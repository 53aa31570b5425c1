import { NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ApiError } from '../api/index.ts';
import { CodeBlock, GuideLink, Loaded } from '../parts/index.ts';
import { runLines } from './filled.ts';
import { LANGUAGES, type Language, PROGRAMS, type Purpose } from './languages.ts';
import { useLanguage } from './useLanguage.ts';

type Props = {
  purpose: Purpose;
  /** What the program reads of its environment. */
  environment: Readonly<Record<string, string>>;
  /** What of the code is the account's own. */
  adapt?: (code: string) => string;
};

/** A whole program in the reader's language, and the lines that run it. */
export function Snippets({ purpose, environment, adapt }: Props) {
  const [language, choose] = useLanguage();
  const program = PROGRAMS[purpose][language];
  const code = useQuery<string, ApiError>({
    queryKey: ['example', purpose, language],
    queryFn: async () => (await program.load()).default,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const needs = needsOf(language, purpose);
  return (
    <Stack gap="sm">
      <NativeSelect
        label="Language"
        data={[...LANGUAGES]}
        value={language}
        onChange={(event) => choose(event.currentTarget.value as Language)}
        maw={280}
      />
      <Loaded query={code}>
        {(loaded) => (
          <CodeBlock code={adapt ? adapt(loaded) : loaded} label={`Save as ${program.file}`} />
        )}
      </Loaded>
      <CodeBlock code={runLines(environment, program.run)} label="Then run it in a shell" />
      {needs && (
        <Text size="sm" c="dimmed">
          {needs}
        </Text>
      )}
      {purpose === 'send' ? (
        <GuideLink guide="authentication">Guide: authentication</GuideLink>
      ) : (
        <GuideLink guide="webhooks">Guide: webhooks</GuideLink>
      )}
    </Stack>
  );
}

function needsOf(language: Language, purpose: Purpose): string | null {
  if (language === 'sdk') {
    return 'It needs the package @leadwire/sdk: until that is in a registry, whoever runs this service has it.';
  }
  if (language === 'shell' && purpose === 'verify') {
    return 'It needs socat; the comment of the file shows the same with nc.';
  }
  return null;
}
