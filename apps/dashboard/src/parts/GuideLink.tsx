import { Anchor } from '@mantine/core';
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import type { GUIDES } from './guides.ts';

type Guide = (typeof GUIDES)[number];

/** A link to one of the guides that this service serves beside its reference. */
export const GuideLink = ({ guide, children }: { guide: Guide; children: ReactNode }) => (
  <Anchor href={`/docs/guides/${guide}`} size="sm" w="fit-content" target="_blank" rel="noreferrer">
    {children} <ExternalLink size={13} aria-label="opens a new tab" />
  </Anchor>
);
