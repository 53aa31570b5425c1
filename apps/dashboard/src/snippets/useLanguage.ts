import { useLocalStorage } from '@mantine/hooks';
import { LANGUAGES, type Language } from './languages.ts';

const KEY = 'leadwire-language';

/** The language of examples: chosen once, for all of them, and remembered in this browser. */
export function useLanguage(): [Language, (language: Language) => void] {
  const [stored, store] = useLocalStorage<string>({
    key: KEY,
    defaultValue: 'shell',
    getInitialValueInEffect: false,
    serialize: (value) => value,
    deserialize: (value) => value ?? 'shell',
  });
  const known = LANGUAGES.find(({ value }) => value === stored);
  return [known?.value ?? 'shell', store];
}
