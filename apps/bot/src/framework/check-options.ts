import { folded, type Setting } from '@guild-settings/contract/settings';
import { shorten } from '@guild-settings/i18n';
import { code, didYouMean, Refusal, wordFor } from '../i18n/text.ts';
import { findSetting, similarSetting } from '../settings/find-setting.ts';
import { type CommandPath, nameOf, textsOf, usageOf } from './command-texts.ts';
import type { Invocation } from './invocation.ts';
import type { CheckedOptions, Option, OptionSet, RawOptions } from './options.ts';

/**
 * Checks the raw value of each option and converts it to the type that the action expects.
 * @throws Refusal that names the option and what was expected
 */
export function checkOptions(
  options: OptionSet,
  path: CommandPath,
  raw: RawOptions,
  invocation: Invocation,
): CheckedOptions {
  const { translator } = invocation;
  const texts = textsOf(translator.language, path).options ?? {};
  const checked: Record<string, CheckedOptions[string]> = {};
  for (const [name, option] of Object.entries(options)) {
    const label = code(texts[name]?.name ?? name);
    const given = raw[name];
    if (option.required && (given === undefined || isBlank(option, given))) {
      throw new Refusal(translator.t('errors.missing', { option: label, usage: usageOf(invocation, path, options) }));
    }
    checked[name] = given === undefined ? undefined : check(option, label, given, invocation);
  }
  return checked;
}

/** Returns true if a text is empty for Discord, which rejects a message of white space. */
function isBlank(option: Option, given: string | number): boolean {
  return option.kind === 'text' && !option.mayBeBlank && String(given).trim() === '';
}

function check(
  option: Option,
  label: string,
  given: string | number,
  invocation: Invocation,
): string | number | Setting {
  const { translator } = invocation;
  switch (option.kind) {
    case 'text': {
      const text = String(given);
      if ([...text].length > option.maxLength) {
        throw new Refusal(translator.t('errors.tooLong', { option: label, count: option.maxLength }));
      }
      return text;
    }
    case 'number': {
      // The list of reminders shows "#7".
      const digits = /^#?(\d{1,15})$/.exec(String(given).normalize('NFKC').trim())?.[1];
      if (digits === undefined) throw new Refusal(translator.t('errors.notNumber', { option: label }));
      return Number(digits);
    }
    case 'setting': {
      const typed = String(given);
      const { ownTranslator = translator } = invocation;
      const words = ['all', wordFor(translator.language, 'all'), wordFor(ownTranslator.language, 'all')];
      if (option.takesAll && words.some((word) => folded(word) === folded(typed.trim()))) return 'all';
      const found = findSetting(typed, translator) ?? findSetting(typed, ownTranslator);
      if (found !== undefined) return found;
      const command = nameOf(invocation, ['settings', 'show']);
      const lines = [
        translator.t('settings.noSuch', { name: code(shorten(typed)), command }),
        ...didYouMean(similarSetting(typed, translator), translator),
      ];
      throw new Refusal(lines.join('\n'));
    }
  }
}
