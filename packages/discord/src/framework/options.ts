import { folded, type Setting } from '@guild-settings/contract/settings';
import { shorten } from '@guild-settings/i18n';
import { code, didYouMean, Refusal } from '../i18n/text.ts';
import type { CommandPath } from '../i18n/translator.ts';
import { findGroup, findSetting, groupsIn, similarGroup, similarSetting } from '../settings/setting-texts.ts';
import type { Invocation } from './invocation.ts';

interface TextOption<Required extends boolean = boolean> {
  readonly kind: 'text';
  readonly required: Required;
  readonly maxLength: number;
  /**
   * The words of a message that it takes: a word or a quoted phrase, words accepted by `fits`, all remaining words, or
   * `--name=value`.
   */
  readonly takes: 'word' | 'phrase' | 'rest' | 'named';
  readonly mayBeBlank?: boolean;
  readonly fits?: (words: string, language: string) => boolean;
}

interface SettingOption<Required extends boolean = boolean, All extends boolean = boolean> {
  readonly kind: 'setting';
  readonly required: Required;
  readonly takesAll: All;
}

/** A group of settings by its declared name. */
interface GroupOption {
  readonly kind: 'group';
  readonly required: false;
}

interface NumberOption<Required extends boolean = boolean> {
  readonly kind: 'number';
  readonly required: Required;
}

export type Option = TextOption | SettingOption | GroupOption | NumberOption;

/** Options by name, in the order of typing: required ones first. */
export type OptionSet = Readonly<Record<string, Option>>;

type ValueOf<O extends Option> =
  O extends SettingOption<boolean, infer All>
    ? Setting | (All extends true ? 'all' : never)
    : O extends NumberOption
      ? number
      : string;

export type OptionValues<Options extends OptionSet> = {
  readonly [Name in keyof Options]: Options[Name] extends { readonly required: true }
    ? ValueOf<Options[Name]>
    : ValueOf<Options[Name]> | undefined;
};

export type RawOptions = Readonly<Record<string, string | number | undefined>>;

export type CheckedOptions = Readonly<Record<string, string | number | Setting | undefined>>;

export function word<Required extends boolean>(required: Required, maxLength: number): TextOption<Required> {
  return { kind: 'text', required, maxLength, takes: 'word' };
}

export function phrase(maxLength: number, fits: (words: string, language: string) => boolean): TextOption<true> {
  return { kind: 'text', required: true, maxLength, takes: 'phrase', fits };
}

export function rest(maxLength: number): TextOption<true> {
  return { kind: 'text', required: true, maxLength, takes: 'rest' };
}

export function anyRest(maxLength: number): TextOption<false> {
  return { kind: 'text', required: false, maxLength, takes: 'rest', mayBeBlank: true };
}

export function named(maxLength: number, fits: (words: string, language: string) => boolean): TextOption<false> {
  return { kind: 'text', required: false, maxLength, takes: 'named', fits };
}

export function setting<Required extends boolean>(required: Required): SettingOption<Required, false> {
  return { kind: 'setting', required, takesAll: false };
}

export function settingOrAll(): SettingOption<true, true> {
  return { kind: 'setting', required: true, takesAll: true };
}

export function group(): GroupOption {
  return { kind: 'group', required: false };
}

export function wholeNumber<Required extends boolean>(required: Required): NumberOption<Required> {
  return { kind: 'number', required };
}

type NamePlace = Pick<Invocation, 'translator' | 'prefix'>;

/** Returns how to type a command in the invocation's guild, as code. */
export function nameOf(invocation: NamePlace, path: CommandPath, ...values: string[]): string {
  return code(typedName(invocation, path, values));
}

function typedName({ translator, prefix }: NamePlace, path: CommandPath, values: string[]): string {
  const [command, subcommand] = path;
  const names = [translator.commandTexts([command]).name];
  if (subcommand !== undefined) names.push(translator.commandTexts(path).name);
  return `${prefix}${[...names, ...values.map((value) => translator.word(value))].join(' ')}`;
}

/** Returns how to type a command, like `nameOf`; undefined: the bot does not have it. */
export function offeredName(
  invocation: NamePlace & Pick<Invocation, 'hasCommand'>,
  path: CommandPath,
  ...values: string[]
): string | undefined {
  return invocation.hasCommand(path) ? nameOf(invocation, path, ...values) : undefined;
}

export function slashNameOf(invocation: Invocation, path: CommandPath, ...values: string[]): string {
  return nameOf({ ...invocation, prefix: '/' }, path, ...values);
}

/** Returns how to type an action, as code: `!settings set <setting> <value>`. */
export function usageOf(invocation: Invocation, path: CommandPath, options: OptionSet): string {
  const texts = invocation.translator.commandTexts(path).options ?? {};
  const placeholders = Object.entries(options).map(([name, option]) => placeholder(texts[name]?.name ?? name, option));
  return code([typedName(invocation, path, []), ...placeholders].join(' '));
}

function placeholder(name: string, option: Option): string {
  if (option.kind === 'text' && option.takes === 'named') return `[--${name}=…]`;
  return option.required ? `<${name}>` : `[${name}]`;
}

/** Returns the line of a reply that lists the groups of settings; empty if there are none. */
export function groupLines(invocation: NamePlace): string[] {
  const { translator } = invocation;
  const all = groupsIn(translator);
  if (all.length === 0) return [];
  const isShared = (wanted: string) => all.filter(({ label }) => label === wanted).length > 1;
  const groups = translator.list(all.map(({ name, label }) => code(isShared(label) ? name : label)));
  // The name of a group may equal that of a subcommand, which takes precedence.
  return [translator.t('settings.groups', { command: nameOf(invocation, ['settings', 'show']), groups })];
}

/**
 * Checks the raw value of each option and converts it to the type of the action.
 * @throws Refusal with the option and the expected values
 */
export function checkOptions(
  options: OptionSet,
  path: CommandPath,
  raw: RawOptions,
  invocation: Invocation,
): CheckedOptions {
  const { translator } = invocation;
  const texts = translator.commandTexts(path).options ?? {};
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

/** Returns true if Discord treats a text as empty: it rejects messages of only white space. */
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
      // The list of reminders displays "#7".
      const digits = /^#?(\d{1,15})$/.exec(String(given).normalize('NFKC').trim())?.[1];
      if (digits === undefined) throw new Refusal(translator.t('errors.notNumber', { option: label }));
      return Number(digits);
    }
    case 'group': {
      const typed = String(given);
      const { ownTranslator = translator } = invocation;
      const found = findGroup(typed, translator) ?? findGroup(typed, ownTranslator);
      if (found !== undefined) return found;
      const command = nameOf(invocation, ['settings', 'show']);
      if (groupsIn(translator).length === 0) throw new Refusal(translator.t('settings.noGroups', { command }));
      const lines = [
        translator.t('settings.noGroup', { name: code(shorten(typed)) }),
        ...groupLines(invocation),
        ...didYouMean(similarGroup(typed, translator), translator),
      ];
      throw new Refusal(lines.join('\n'));
    }
    case 'setting': {
      const typed = String(given);
      const { ownTranslator = translator } = invocation;
      const words = ['all', translator.word('all'), ownTranslator.word('all')];
      if (option.takesAll && words.some((word) => folded(word) === folded(typed.trim()))) return 'all';
      const found = findSetting(typed, translator) ?? findSetting(typed, ownTranslator);
      if (found !== undefined) return found;
      const lines = [noSetting(typed, invocation), ...didYouMean(similarSetting(typed, translator), translator)];
      throw new Refusal(lines.join('\n'));
    }
  }
}

/** Returns the reply to an unknown setting name, with the command that lists the settings. */
export function noSetting(typed: string, invocation: Invocation): string {
  const { t } = invocation.translator;
  const name = code(shorten(typed));
  const command = offeredName(invocation, ['settings', 'show']);
  return command === undefined ? t('settings.noSetting', { name }) : t('settings.noSuch', { name, command });
}
