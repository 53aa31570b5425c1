import type { Form } from '@leadwire/contract/dashboard';
import { Anchor, Stack, Tabs, Text } from '@mantine/core';
import { useApi } from '../../api/index.ts';
import { CodeBlock, CopyField, Loaded, Section } from '../../parts/index.ts';
import type { FormParams } from './FormDialogs.tsx';

type Props = { form: Form; params: FormParams };

/** The ways to show the form to visitors. */
export const Embedding = ({ form, params }: Props) => (
  <Section
    title="Put it on your page"
    description="Paste the HTML where the form is to stand and style it as you like, or link to a page that is ready."
  >
    <Tabs defaultValue="html" keepMounted={false}>
      <Tabs.List aria-label="Ways to show the form">
        <Tabs.Tab value="html">HTML to paste</Tabs.Tab>
        <Tabs.Tab value="link">Link to a page</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="html" pt="sm">
        <Html params={params} />
      </Tabs.Panel>
      <Tabs.Panel value="link" pt="sm">
        <Stack gap="sm" align="stretch">
          <CopyField label="Address of the form" value={form.url} />
          <Anchor href={form.url} target="_blank" rel="noreferrer" size="sm" w="fit-content">
            Open the form in a new tab
          </Anchor>
        </Stack>
      </Tabs.Panel>
    </Tabs>
  </Section>
);

function Html({ params }: { params: FormParams }) {
  const query = useApi('getEmbedding', { params });
  return (
    <Loaded query={query}>
      {({ plain, script }) => (
        <Stack gap="md">
          <CodeBlock code={plain} label="The form; works without JavaScript" />
          <div>
            <CodeBlock code={script} label="The script, once a page" />
            <Text size="sm" c="dimmed" mt={6}>
              With it visitors stay on your page: errors stand beside the fields, with the class
              lw-error for your styles, and a double click is one lead. Without it they see a page
              of ours after sending.
            </Text>
          </div>
        </Stack>
      )}
    </Loaded>
  );
}
