import { FEATURES, type GuildId, LANGUAGES, type Snowflake } from '@guild-settings/contract';
import {
  flawsOf,
  folded,
  parseTyped,
  patchOf,
  type Setting,
  type SettingValues,
  type Texts,
  type TypedWords,
  textIn,
} from '@guild-settings/contract/settings';
import { choiceText, flawOf, flawText, languageName, numberText } from '@guild-settings/i18n';
import { type Channels, channelIdOf } from '../discord/channels.ts';
import { code, Refusal, wordFor } from '../i18n/text.ts';
import type { Language, Translator } from '../i18n/translator.ts';

/** Where a value was typed, and how to look up channels there. */
export interface SettingContext {
  readonly guildId: GuildId;
  readonly channelId: Snowflake;
  readonly translator: Translator;
  readonly channels: Channels;
}

/**
 * Parses the text that a user typed for a setting into a patch.
 * @throws Refusal that says what was expected
 */
export async function parseSetting(
  declaredSetting: Setting,
  typed: string,
  context: SettingContext,
): Promise<SettingValues> {
  const { translator } = context;
  const setting = withCatalogue(declaredSetting);
  const { field, declared } = setting;
  const value = parseTyped(setting, typed, typedWords(setting, translator.language));
  if (value === undefined) throw new Refusal(expectation(setting, context));
  if (flawsOf(setting, value).length > 0) {
    const flaw = flawOf(setting, value);
    const isInList = flaw === undefined || flaw.key === 'tooMany';
    const why = isInList ? expectation(setting, context) : flawText(flaw, translator, setting);
    const hint: string = translator.t(`settings.hint.${field}` as never, {
      none: typedWord('none', translator),
      defaultValue: '',
    });
    throw new Refusal([why, hint].filter((line) => line !== '').join('\n'));
  }
  if (declared.kind === 'channel') for (const id of [value].flat()) await checkChannel(setting, String(id), context);
  return patchOf([[setting, value]]);
}

/** @throws Refusal unless the bot can write in the channel */
async function checkChannel(setting: Setting, id: string, context: SettingContext): Promise<void> {
  if (id === '') return;
  const state = await context.channels.stateOf(context.guildId, id);
  if (state === 'unknown') throw new Refusal(expectation(setting, context));
  if (state === 'unwritable') throw new Refusal(context.translator.t('channel.unwritable', { channel: `<#${id}>` }));
}

/** Returns a setting that has the features of the catalogue as its choices, if its choices are open. */
function withCatalogue(setting: Setting): Setting {
  const { declared } = setting;
  if (declared.kind !== 'choice' || declared.open === undefined) return setting;
  const choices = Object.fromEntries(FEATURES.map(({ name, names }) => [name, names]));
  return { ...setting, declared: { ...declared, choices } };
}

/** Returns how values of a setting are typed in a language. */
function typedWords({ declared }: Setting, language: Language): TypedWords {
  const choices: Readonly<Record<string, Texts>> = declared.kind === 'choice' ? declared.choices : {};
  return {
    wordOf(typed) {
      const word = folded(typed.trim());
      const isTyped = (known: 'none' | 'on' | 'off') => [known, folded(wordFor(language, known))].includes(word);
      if (word === 'true' || word === 'false') return word === 'true' ? 'on' : 'off';
      return (['none', 'on', 'off'] as const).find(isTyped);
    },
    idOf: (typed, mentioned) => (mentioned === 'channel' ? channelIdOf(typed) : roleIdOf(typed)),
    namesOf(choice) {
      const label = textIn(choices[choice], language);
      return label === undefined ? namesOfLanguage(choice, language) : [label];
    },
  };
}

/** Returns the names of a language: without its region, in the language of the guild, and its own for itself. */
function namesOfLanguage(tag: string, language: Language): string[] {
  if (!LANGUAGES.some((known) => known === tag)) return [];
  const [bare = tag] = tag.split('-');
  const own = new Intl.DisplayNames(tag, { type: 'language' });
  return [bare, languageName(tag, language), own.of(tag) ?? tag, own.of(bare) ?? tag];
}

function roleIdOf(typed: string): Snowflake | undefined {
  return /^(?:<@&(?<mentioned>\d{17,20})>|(?<id>\d{17,20}))$/.exec(typed.trim())?.slice(1).find(Boolean);
}

/** Returns which values a setting can have: by the text of the setting, else by that of its kind. */
function expectation(setting: Setting, { translator, channelId }: SettingContext): string {
  const { field, declared, many } = setting;
  const { language, t } = translator;
  const choices = declared.kind === 'choice' ? Object.keys(declared.choices) : [];
  const limit = (value: number) => code(numberText(setting, value, language));
  const values = {
    none: typedWord('none', translator),
    on: typedWord('on', translator),
    off: typedWord('off', translator),
    channel: `<#${channelId}>`,
    choices: translator.list(choices.map((choice) => `${code(choice)} (${choiceText(setting, choice, language)})`)),
    example: code('1h 30m'),
    max: many?.max,
    length: declared.open,
    ...('min' in declared && { min: limit(declared.min), max: limit(declared.max) }),
    defaultValue: '',
  };
  const own = [`settings.expected.${field}`, `settings.expected.${declared.kind}`];
  // i18next takes the first key that there is, which its types do not know.
  const item: string = t(own as never, values);
  if (many === undefined || declared.open !== undefined) return item;
  const list = t('settings.expected.list', { max: many.max, none: values.none });
  return item === '' ? list : `${item}\n${list}`;
}

function typedWord(word: 'none' | 'on' | 'off', { language }: Translator): string {
  return code(wordFor(language, word));
}
