export { Choices } from './Choices.tsx';
export { CodeBlock, CopyButton, CopyField, SecretOnce } from './Copy.tsx';
export {
  type DialogFormProps,
  focusFirst,
  showFieldErrors,
  useChangeForm,
  useFieldErrors,
} from './change-form.ts';
export { BarList } from './chart/BarList.tsx';
export { formatCount, formatShort } from './chart/scale.ts';
export type { Series } from './chart/series.ts';
export { TimeBars } from './chart/TimeBars.tsx';
export { countryName, countryOptions } from './countries.ts';
export { type Column, DataTable } from './DataTable.tsx';
export { ConfirmDialog, CoveredContext, Dialog, DialogActions, FormActions } from './Dialog.tsx';
export { FilterSelect, FilterText } from './filters.tsx';
export { FormError, tellDone, tellError } from './forms.tsx';
export { GuideLink } from './GuideLink.tsx';
export { JsonView } from './JsonView.tsx';
export { BackLink, ButtonLink, TextLink } from './Links.tsx';
export { PageHeader } from './PageHeader.tsx';
export { Pager } from './Pager.tsx';
export { exactUtc, relativeTime } from './relative-time.ts';
export { ScrollBox } from './ScrollBox.tsx';
export { Facts, Section } from './Section.tsx';
export { Sentences } from './Sentences.tsx';
export { Mono, None, StatusBadge, type Tone } from './StatusBadge.tsx';
export { EmptyState, ErrorState, Loaded, Loading, sentenceOf, titleOf } from './states.tsx';
export { RelativeTime, Timestamp } from './Time.tsx';
