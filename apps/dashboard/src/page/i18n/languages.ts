import { LANGUAGES, type Language } from '@guild-settings/contract/constants';

export { LANGUAGES, type Language };

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  'en-US': 'English',
  hi: 'हिन्दी',
  ru: 'Русский',
  ja: '日本語',
  'es-ES': 'Español',
};

const SAVED = 'language';

/**
 * Returns the language that the person has chosen here, otherwise the first of the browser's languages that the page
 * supports.
 */
export function preferredLanguage(): Language {
  const wanted = [savedLanguage(), ...navigator.languages];
  for (const tag of wanted) {
    const found = LANGUAGES.find((language) => base(language) === base(tag ?? ''));
    if (found !== undefined) return found;
  }
  return 'en-US';
}

export function saveLanguage(language: Language): void {
  try {
    localStorage.setItem(SAVED, language);
  } catch {
    // Without storage, the choice applies to this visit.
  }
}

function savedLanguage(): string | null {
  try {
    return localStorage.getItem(SAVED);
  } catch {
    return null;
  }
}

function base(tag: string): string {
  return tag.split('-')[0]?.toLowerCase() ?? '';
}
