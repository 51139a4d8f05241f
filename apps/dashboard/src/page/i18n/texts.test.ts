import { type Texts, textFlaws } from '@guild-settings/i18n/compare-texts';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from './languages.ts';

const FILES = import.meta.glob<{ readonly default: Texts }>('./locales/*/*.json', { eager: true });
const NAMESPACES = [...new Set(Object.keys(FILES).map((path) => /(\w+)\.json$/.exec(path)?.[1] ?? ''))];

function textsOf(namespace: string, language: string): Texts {
  const file = FILES[`./locales/${language}/${namespace}.json`];
  if (file === undefined) throw new Error(`Expected texts of "${namespace}" in ${language}`);
  return file.default;
}

describe.each(NAMESPACES)('the texts of %s', (namespace) => {
  test.each(LANGUAGES)('in %s are those of English', (language) => {
    expect(textFlaws(language, textsOf(namespace, language), textsOf(namespace, 'en-US'))).toStrictEqual([]);
  });
});
