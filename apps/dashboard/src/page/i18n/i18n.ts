import type { Language } from '@guild-settings/contract/constants';
import i18next, { type BackendModule, type i18n, type TypeOptions } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { isolated } from './isolated.ts';
import { preferredLanguage, saveLanguage } from './languages.ts';

type Texts = Readonly<Record<string, unknown>>;

/** The texts of one part of the page in one language: a file of `locales`, loaded when it is first needed. */
const FILES = import.meta.glob<Texts>('./locales/*/*.json', { import: 'default' });

const SHARED_FILES: Readonly<Record<string, () => Promise<Texts>>> = {
  'en-US': async () => (await import('@guild-settings/i18n/locales/en-US/shared.json')).default,
  hi: async () => (await import('@guild-settings/i18n/locales/hi/shared.json')).default,
  ru: async () => (await import('@guild-settings/i18n/locales/ru/shared.json')).default,
  ja: async () => (await import('@guild-settings/i18n/locales/ja/shared.json')).default,
  'es-ES': async () => (await import('@guild-settings/i18n/locales/es-ES/shared.json')).default,
};

const lazyTexts: BackendModule = {
  type: 'backend',
  init() {},
  async read(language, namespace) {
    const load = namespace === 'shared' ? SHARED_FILES[language] : FILES[`./locales/${language}/${namespace}.json`];
    if (load === undefined) throw new Error(`Expected texts of "${namespace}" in "${language}", found no file`);
    return await load();
  },
};

/** React escapes its output, so interpolated values are only isolated. */
export const INTERPOLATION = { escapeValue: true, escape: isolated } as const;

/** Loads the texts of the first page, and keeps the language of the document up to date. */
export async function startTranslations(language: Language = preferredLanguage()): Promise<i18n> {
  i18next.on('languageChanged', (changed) => {
    document.documentElement.lang = changed;
  });
  await i18next
    .use(lazyTexts)
    .use(initReactI18next)
    .init({
      lng: language,
      // Every language has every text: a test compares them.
      fallbackLng: false,
      load: 'currentOnly',
      ns: ['common'],
      defaultNS: 'common',
      interpolation: INTERPOLATION,
      returnNull: false,
    });
  return i18next;
}

export type Namespace = keyof TypeOptions['resources'];

/** Loads texts. Never rejects: texts that could not be loaded are loaded again where they are used. */
export async function loadTexts(namespaces: readonly Namespace[]): Promise<void> {
  await i18next.loadNamespaces(namespaces);
}

/**
 * Changes the language of the page, and stores the choice.
 * @returns false: its texts could not be loaded, and the language stays the same
 */
export async function changeLanguage(language: Language): Promise<boolean> {
  const isLoaded = await new Promise<boolean>((resolve) => {
    // Also loads texts that failed before, which i18next itself does not load again.
    void i18next.reloadResources([language], undefined, (errors?: unknown) => resolve(errors == null));
  });
  if (!isLoaded) return false;
  saveLanguage(language);
  await i18next.changeLanguage(language);
  return true;
}
