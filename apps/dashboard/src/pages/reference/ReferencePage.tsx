import { Accordion, Anchor, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { getRouteApi, useLocation } from '@tanstack/react-router';
import { ExternalLink, Search } from 'lucide-react';
import { useEffect } from 'react';
import { EmptyState, ErrorState, PageHeader } from '../../parts/index.ts';
import { type Section, searchSections } from './document.ts';
import { OperationItem } from './OperationItem.tsx';
import { useReference } from './useReference.ts';

const route = getRouteApi('/signed-in/a/$account/reference');

/** The public API, drawn from the service's own OpenAPI document. */
export function ReferencePage() {
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const reference = useReference();
  return (
    <>
      <PageHeader title="API reference" actions={<OtherForms />} />
      <Stack gap="lg" maw={880}>
        <TextInput
          label="Search"
          placeholder="webhook, cursor, phone…"
          leftSection={<Search size={16} aria-hidden />}
          value={q}
          onChange={({ currentTarget: { value } }) =>
            navigate({ search: value ? { q: value } : {}, hash: '', replace: true })
          }
        />
        {reference.isPending && <Skeleton height={320} aria-label="Loading" />}
        {reference.isError && (
          <ErrorState error={reference.error} retry={() => void reference.refetch()} />
        )}
        {reference.data && <Sections sections={searchSections(reference.data, q)} query={q} />}
      </Stack>
    </>
  );
}

const OtherForms = () => (
  <Group gap="md">
    {[
      { href: '/docs', text: 'Guides' },
      { href: '/docs/reference', text: 'Try requests (Swagger UI)' },
      { href: '/openapi.json', text: 'openapi.json' },
    ].map(({ href, text }) => (
      <Anchor key={href} href={href} size="sm" target="_blank" rel="noreferrer">
        {text} <ExternalLink size={13} aria-label="opens a new tab" />
      </Anchor>
    ))}
  </Group>
);

/** The operation that is open is named behind #, so that a link leads to it. */
function Sections({ sections, query }: { sections: readonly Section[]; query: string }) {
  const navigate = route.useNavigate();
  const { hash } = useLocation();
  useEffect(() => {
    // The document may have come after the page: the browser has looked for the place by then.
    if (hash) document.getElementById(hash)?.scrollIntoView();
  }, [hash]);
  if (sections.length === 0) {
    return (
      <EmptyState title={`Nothing holds “${query}”`}>
        Search for a path, a field or a word of what an operation does.
      </EmptyState>
    );
  }
  const open = (id: string | null) =>
    navigate({ hash: id ?? '', search: true, replace: true, resetScroll: false });
  return sections.map(({ name, description, operations }) => (
    <section key={name} aria-label={name}>
      <Title order={2}>{name}</Title>
      <Text size="sm" c="dimmed" mb="xs">
        {description}
      </Text>
      <Accordion order={3} value={hash || null} onChange={open} variant="contained">
        {operations.map((operation) => (
          <OperationItem key={operation.id} operation={operation} isOpen={hash === operation.id} />
        ))}
      </Accordion>
    </section>
  ));
}
