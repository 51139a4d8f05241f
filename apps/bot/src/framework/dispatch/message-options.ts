import { folded } from '@guild-settings/contract/settings';
import type { Language } from '../../i18n/translator.ts';
import { type CommandPath, textsOf } from '../command-texts.ts';
import type { Option, OptionSet, RawOptions } from '../options.ts';
import { joinWords, type Word } from './words.ts';

export interface MessageOptions {
  readonly values: RawOptions;
  readonly extra: readonly Word[];
}

const MAX_PHRASE_WORDS = 10;

/** Assigns words to options: named options anywhere in the message, the others in order. */
export function readMessageOptions(
  options: OptionSet,
  path: CommandPath,
  words: readonly Word[],
  language: Language,
): MessageOptions {
  const values: Record<string, string | undefined> = {};
  const texts = textsOf(language, path).options ?? {};
  let left = words;
  for (const [name, option] of Object.entries(options)) {
    if (!isNamed(option)) continue;
    const found = findNamed([name, texts[name]?.name ?? name], left);
    values[name] = found?.value;
    left = found?.others ?? left;
  }
  for (const [name, option] of Object.entries(options)) {
    if (isNamed(option) || left.length === 0) continue;
    const count = wordsFor(option, left, language);
    values[name] = joinWords(left.slice(0, count));
    left = left.slice(count);
  }
  return { values, extra: left };
}

function isNamed(option: Option): boolean {
  return option.kind === 'text' && option.takes === 'named';
}

/** Finds `--name=value` or `--name value`. Some keyboards replace two hyphens by a dash. */
function findNamed(names: readonly string[], words: readonly Word[]) {
  for (const [index, { value }] of words.entries()) {
    const [, name = '', given] = /^(?:--|[–—])([^=]+)(?:=(.*))?$/su.exec(value) ?? [];
    if (!names.some((candidate) => folded(candidate) === folded(name))) continue;
    const taken = given === undefined ? 2 : 1;
    return {
      value: given ?? words[index + 1]?.value ?? '',
      others: words.toSpliced(index, taken),
    };
  }
  return undefined;
}

function wordsFor(option: Option, words: readonly Word[], language: Language): number {
  if (option.kind !== 'text' || option.takes === 'word') return 1;
  if (option.takes === 'rest') return words.length;
  for (let count = Math.min(MAX_PHRASE_WORDS, words.length); count > 1; count--) {
    if (option.fits?.(joinWords(words.slice(0, count)), language)) return count;
  }
  return 1;
}
