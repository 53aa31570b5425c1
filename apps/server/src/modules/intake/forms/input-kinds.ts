export type InputKind = {
  type: 'text' | 'tel' | 'email';
  autocomplete: string;
  /** Characters. */
  maxLength: number;
};

/** How browsers can help with what goes to which field (HTML Living Standard, section "Autofill"). */
export const INPUT_KINDS: Readonly<Record<string, InputKind>> = {
  first_name: { type: 'text', autocomplete: 'given-name', maxLength: 100 },
  last_name: { type: 'text', autocomplete: 'family-name', maxLength: 100 },
  email: { type: 'email', autocomplete: 'email', maxLength: 320 },
  phone: { type: 'tel', autocomplete: 'tel', maxLength: 50 },
  'address.street': { type: 'text', autocomplete: 'address-line1', maxLength: 255 },
  'address.city': { type: 'text', autocomplete: 'address-level2', maxLength: 255 },
  'address.state': { type: 'text', autocomplete: 'address-level1', maxLength: 255 },
  'address.zip': { type: 'text', autocomplete: 'postal-code', maxLength: 255 },
};
