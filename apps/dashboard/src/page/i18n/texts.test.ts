import { describe, expect, test } from 'vitest';
import { LANGUAGES } from './languages.ts';

type Tree = { readonly [key: string]: string | Tree };

const FILES = import.meta.glob<{ readonly texts: Tree }>('./locales/*/*.ts', { eager: true });
const NAMESPACES = [...new Set(Object.keys(FILES).map((path) => path.split('/')[2] ?? ''))];
const FORM = /_(zero|one|two|few|many|other)$/;

/** Every text of a file by its whole key. */
function textsOf(namespace: string, language: string): ReadonlyMap<string, string> {
  const file = FILES[`./locales/${namespace}/${language.toLowerCase()}.ts`];
  if (file === undefined) throw new Error(`Expected texts of "${namespace}" in ${language}`);
  return new Map(flat(file.texts));
}

function flat(tree: Tree, path = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[`${path}${key}`, value]] : flat(value, `${path}${key}.`),
  );
}

const bare = (keys: Iterable<string>) => [...new Set([...keys].map((key) => key.replace(FORM, '')))].toSorted();
const placeholders = (text: string) =>
  [...new Set([...text.matchAll(/\{\{(\w+)/g)].map(([, name]) => name))].toSorted();

describe.each(NAMESPACES)('the texts of %s', (namespace) => {
  const english = textsOf(namespace, 'en-US');

  test.each(LANGUAGES)('are all there in %s, and no others', (language) => {
    const texts = textsOf(namespace, language);
    expect(bare(texts.keys())).toStrictEqual(bare(english.keys()));
    expect([...texts].filter(([, text]) => text === '' || text.trim() !== text)).toStrictEqual([]);
  });

  test.each(LANGUAGES)('have exactly the plural forms of %s where something is counted', (language) => {
    const texts = [...textsOf(namespace, language).keys()];
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
    for (const key of bare([...english.keys()].filter((candidate) => FORM.test(candidate)))) {
      const found = texts.filter((candidate) => FORM.test(candidate) && candidate.replace(FORM, '') === key);
      expect([key, found.map((one) => one.slice(key.length + 1)).toSorted()]).toStrictEqual([key, forms]);
    }
  });

  test.each(LANGUAGES)('have the same placeholders in %s as in English', (language) => {
    const differing = [...textsOf(namespace, language)].filter(([key, text]) => {
      const original = english.get(key) ?? english.get(key.replace(FORM, '_other')) ?? '';
      return placeholders(text).join() !== placeholders(original).join();
    });
    expect(differing).toStrictEqual([]);
  });
});
