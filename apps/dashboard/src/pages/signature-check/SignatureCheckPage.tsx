import { Alert, Button, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useEffect, useRef, useState } from 'react';
import { useChange } from '../../api/index.ts';
import {
  FormError,
  focusFirst,
  GuideLink,
  PageHeader,
  Section,
  useFieldErrors,
} from '../../parts/index.ts';
import { useAccount } from '../../shell/account.ts';
import { type CheckValues, EMPTY, FIELDS, noteOn, toBody } from './check-values.ts';
import { parseRequest } from './parse.ts';
import { Result } from './Result.tsx';

/** Takes a request apart that was refused for its signature, and says what is wrong with it. */
export function SignatureCheckPage() {
  const account = useAccount();
  const result = useRef<HTMLDivElement>(null);
  const check = useChange('checkSignature');
  const form = useCheckForm(check.error);
  const send = form.onSubmit(
    (values) => check.mutate({ params: { account: account.id }, body: toBody(values) }),
    focusFirst(form),
  );
  useEffect(() => {
    if (check.data) result.current?.focus();
  }, [check.data]);
  return (
    <>
      <PageHeader
        title="Signature check"
        description="Paste a request that was refused with invalid_signature or signature_expired. You see the text that has to be signed, and where the sender's differs."
        actions={<GuideLink guide="authentication">Guide: authentication</GuideLink>}
      />
      <Paste onParsed={(parts) => form.setValues(parts)} />
      <Section title="The request">
        <form onSubmit={send} noValidate>
          <Stack>
            <FormError error={check.error} fields={FIELDS} />
            <Fields form={form} />
            <div>
              <Button type="submit" loading={check.isPending}>
                Check signature
              </Button>
            </div>
          </Stack>
        </form>
      </Section>
      <div ref={result} tabIndex={-1} style={{ outline: 'none' }}>
        {check.data && <Result result={check.data} />}
      </div>
    </>
  );
}

type Form = UseFormReturnType<CheckValues>;

function useCheckForm(error: ReturnType<typeof useChange<'checkSignature'>>['error']): Form {
  const form = useForm<CheckValues>({
    initialValues: EMPTY,
    validate: {
      method: (method) => (/^[A-Za-z]{1,16}$/.test(method.trim()) ? null : 'Enter it, e.g. POST.'),
      target: (target) =>
        target.trim() ? null : 'Enter the path, with the query if there is one.',
      public_key: (key) => (key.trim() ? null : 'Enter what X-Leadwire-Public-Key holds.'),
      signature: (signature) =>
        signature.trim() ? null : 'Enter what X-Leadwire-Signature holds.',
    },
  });
  useFieldErrors(form, error);
  return form;
}

function Paste({ onParsed }: { onParsed: (parts: Partial<CheckValues>) => void }) {
  const [text, setText] = useState('');
  const [note, setNote] = useState<string | null>(null);
  const take = (pasted: string) => {
    setText(pasted);
    const parts = parseRequest(pasted);
    setNote(pasted.trim() === '' ? null : noteOn(pasted, parts));
    if (!parts) return;
    const { publicKey, ...others } = parts;
    onParsed({ ...others, public_key: publicKey });
  };
  return (
    <Section title="Paste it">
      <Stack>
        <Textarea
          label="A curl command, or the request as it went over the wire"
          description="It is taken apart here in the browser; the fields below are filled from it."
          placeholder={'POST /api/v1/insertion/leads HTTP/1.1\nX-Leadwire-Public-Key: lwpk_…'}
          autosize
          minRows={5}
          maxRows={14}
          spellCheck={false}
          autoComplete="off"
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={text}
          onChange={(event) => take(event.currentTarget.value)}
        />
        {note && (
          <Alert color="yellow" role="status">
            {note}
          </Alert>
        )}
      </Stack>
    </Section>
  );
}

const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } };

const Fields = ({ form }: { form: Form }) => (
  <>
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput label="Method" styles={mono} maxLength={16} {...form.getInputProps('method')} />
      <TextInput
        label="Path and query"
        styles={mono}
        maxLength={8192}
        spellCheck={false}
        {...form.getInputProps('target')}
      />
      <TextInput
        label="X-Leadwire-Public-Key"
        styles={mono}
        maxLength={255}
        spellCheck={false}
        autoComplete="off"
        {...form.getInputProps('public_key')}
      />
      <TextInput
        label="X-Leadwire-Timestamp"
        styles={mono}
        maxLength={64}
        autoComplete="off"
        {...form.getInputProps('timestamp')}
      />
    </SimpleGrid>
    <TextInput
      label="X-Leadwire-Signature"
      styles={mono}
      maxLength={255}
      spellCheck={false}
      autoComplete="off"
      {...form.getInputProps('signature')}
    />
    <Textarea
      label="Body"
      description="Every byte counts, a line break at the end too. Empty where there was none."
      styles={mono}
      autosize
      minRows={3}
      maxRows={14}
      spellCheck={false}
      {...form.getInputProps('body')}
    />
    <Textarea
      label="What the sender signed"
      description="If they can print it: the five lines. Leave it empty otherwise."
      styles={mono}
      autosize
      minRows={2}
      maxRows={8}
      spellCheck={false}
      {...form.getInputProps('string_to_sign')}
    />
  </>
);
