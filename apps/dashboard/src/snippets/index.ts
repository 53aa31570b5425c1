export { withCampaign } from './filled.ts';
export { Snippets } from './Snippets.tsx';
