import type { GuildId, RecordSettings, Snowflake } from '@guild-settings/contract';
import {
  Ambiguous,
  flawsOf,
  folded,
  type Item,
  parseTyped,
  type Setting,
  type SettingValue,
  stored,
  type TypedWords,
  takesType,
  valueIn,
  withLineFeeds,
} from '@guild-settings/contract/settings';
import { choiceText, flawOf, flawText, namedValues, shorten, typedWords, wrongTypeText } from '@guild-settings/i18n';
import type { ChannelsOfGuilds } from '../discord/channels.ts';
import { code, didYouMean, nearest, Refusal, withOneMeaning } from '../i18n/text.ts';
import { allTranslators, type Translator } from '../i18n/translator.ts';
import { expectation, typedWord } from './expectations.ts';
import { mentionedBy, thingsFor, withIds } from './named-things.ts';
import { featuresOf, typedItem } from './setting-texts.ts';
import { zoneOf } from './zone-suggestions.ts';

export interface SettingContext {
  readonly guildId: GuildId;
  readonly channelId: Snowflake;
  readonly userId: Snowflake;
  readonly translator: Translator;
  /** For the person's own language, which is also parsed. */
  readonly ownTranslator?: Translator | undefined;
  readonly channels: ChannelsOfGuilds;
  /** The settings of the guild, which may include unknown enabled features. */
  readonly settings: RecordSettings;
  /** The types of channels that Discord resolved, as Discord's numbers; absent: none. */
  readonly channelTypes?: ReadonlyMap<Snowflake, number>;
}

/** The languages of a typed value. */
type Reading = Pick<SettingContext, 'translator' | 'ownTranslator'>;

export const REMARKS = ['settings.now', 'settings.byDefault'] as const;

export async function parseSetting(setting: Setting, typed: string, context: SettingContext): Promise<SettingValue> {
  const known = withFeatures(setting, context.translator);
  const meant = meantValue(known, typed, context);
  const words = wordsOf(known, context);
  const text = words.wordOf(meant) === 'none' ? meant : await withIds(known, meant, context);
  const parsed = withOneMeaning(parseTyped(known, text, words), context.translator);
  if (parsed === undefined) throw new Refusal(misread(known, typed, context));
  return checked(known, parsed, context);
}

/** Parses typed text as a value, which the service may refuse; undefined: not a value. */
export function readValue(setting: Setting, typed: string, reading: Reading): SettingValue | undefined {
  const known = withFeatures(setting, reading.translator);
  const value = parseTyped(known, typed, wordsOf(known, reading));
  return value instanceof Ambiguous ? undefined : value;
}

/** Parses typed text as an item of a list, which the service may refuse; undefined: not an item. */
export function readItem(setting: Setting, typed: string, reading: Reading): Item | undefined {
  const known = withFeatures(setting, reading.translator);
  const item = known.kind.parse(typed, known.declared as never, wordsOf(known, reading));
  return item instanceof Ambiguous ? undefined : item;
}

/** Returns the names of an item besides the texts that are parsed as it. */
export function itemNames(setting: Setting, item: Item, translator: Translator): string[] {
  const known = withFeatures(setting, translator);
  return [typedItem(setting, item), choiceText(known, String(item), translator.language)];
}

/**
 * Returns a typed value without the remark of a suggestion. A text setting keeps it, because it may be part of the
 * text, unless the rest means none.
 */
function meantValue(setting: Setting, typed: string, reading: Reading): string {
  const value = withoutRemark(typed, reading.translator);
  const isText = setting.declared.kind === 'text' && wordsOf(setting, reading).wordOf(value) !== 'none';
  if (isText) return typed;
  return setting.declared.kind === 'timeZone' ? zoneOf(value) : value;
}

/** Returns a text without a suggestion's remark in one of the languages. */
function withoutRemark(typed: string, translator: Translator): string {
  for (const { t } of allTranslators(translator)) {
    for (const remark of REMARKS) {
      const [before = '', after = ''] = t(remark, { value: '\n' }).split('\n');
      const text = typed.trim();
      const value = text.slice(before.length, text.length - after.length).trim();
      if (value !== '' && folded(text) === folded(before + value + after)) return value;
    }
  }
  return typed;
}

/**
 * Parses one item of a list. Unlike in a typed list, a text item may contain commas.
 * @throws Refusal with the expected values
 */
export async function parseItem(setting: Setting, typed: string, context: SettingContext): Promise<Item> {
  const known = withFeatures(setting, context.translator);
  const words = wordsOf(known, context);
  const text = words.wordOf(typed) === 'none' ? typed : await withIds({ ...known, many: undefined }, typed, context);
  const item = withOneMeaning(known.kind.parse(text, known.declared as never, words), context.translator);
  if (item === undefined) throw new Refusal(misread(known, typed, context));
  const [parsed] = (await checked(known, [item] as SettingValue, context)) as Item[];
  return parsed as Item;
}

/**
 * Parses a form value of a setting. A text is used as it is; the lines of a list are its items.
 * @throws Refusal with the expected values
 */
export async function parseFilledIn(
  setting: Setting,
  filledIn: string | readonly string[],
  context: SettingContext,
): Promise<SettingValue> {
  const known = withFeatures(setting, context.translator);
  const isNamed = mentionedBy(known) !== undefined && typeof filledIn === 'string' && filledIn.trim() !== '';
  if (isNamed) return parseSetting(known, filledIn, context);
  const value = valueFilledIn(known, filledIn, wordsOf(known, context));
  return checked(known, withOneMeaning(value, context.translator), context);
}

function valueFilledIn(
  setting: Setting,
  filledIn: string | readonly string[],
  words: TypedWords,
): SettingValue | Ambiguous | undefined {
  const { kind, many, declared } = setting;
  const parse = (text: string) => {
    if (declared.kind === 'text' || (text === '' && kind.empty === '')) return text;
    return kind.parse(text, declared as never, words) as SettingValue | Ambiguous | undefined;
  };
  if (typeof filledIn !== 'string') {
    if (many !== undefined) return filledIn;
    const [chosen = ''] = filledIn;
    return declared.kind === 'switch' ? parse(chosen) : chosen;
  }
  const text = withLineFeeds(filledIn);
  const hasLines = declared.kind === 'text' && declared.lines === 'many';
  // A long text of one line is entered in a multi-line field.
  if (many === undefined) return parse(hasLines ? text : text.replaceAll('\n', ' '));
  const items = text.split('\n').map((line) => line.trim());
  const parsed = items.filter((item) => item !== '').map(parse);
  const unclear = parsed.find((item) => item instanceof Ambiguous);
  return unclear ?? (parsed.includes(undefined) ? undefined : stored(setting, parsed as string[]));
}

/** @throws Refusal unless the service accepts the value */
async function checked(
  setting: Setting,
  value: SettingValue | undefined,
  context: SettingContext,
): Promise<SettingValue> {
  const { translator, guildId, channels, settings } = context;
  const { field } = setting;
  const requireAll = (areThere: readonly boolean[]) => {
    if (areThere.includes(false)) throw new Refusal(expectation(setting, context));
  };
  if (value === undefined) throw new Refusal(expectation(setting, context));
  if (flawsOf(setting, value, guildId).length > 0) {
    const flaw = flawOf(setting, value, guildId);
    const isInList = flaw === undefined || flaw.key === 'tooMany';
    const why = isInList ? expectation(setting, context) : flawText(flaw, translator, setting);
    const hint: string = translator.t(`settings.hint.${field}` as never, {
      none: typedWord('none', translator),
      defaultValue: '',
    });
    throw new Refusal([why, hint].filter((line) => line !== '').join('\n'));
  }
  requireNoMistake(setting, value, context);
  const ids = [value].flat().map(String);
  switch (mentionedBy(setting)) {
    case 'channel':
      for (const id of ids) await checkChannel(setting, id, context);
      break;
    case 'role':
      requireAll(ids.map((id) => id === '' || channels.hasRole(guildId, id)));
      break;
    case 'user': {
      const present = [valueIn(settings, setting) ?? []].flat().map(String);
      const others = ids.filter((id) => id !== '' && !present.includes(id));
      requireAll(await Promise.all(others.map((id) => channels.hasMember(guildId, id))));
    }
  }
  return value;
}

/** @throws Refusal when a new item of an open list is similar to one of its choices */
function requireNoMistake(setting: Setting, value: SettingValue, { translator, settings }: SettingContext): void {
  const { declared } = setting;
  if (declared.kind !== 'choice' || declared.open === undefined) return;
  const names = Object.keys(declared.choices);
  const present = [valueIn(settings, setting) ?? []].flat() as readonly Item[];
  for (const item of [value].flat().map(String)) {
    if (names.includes(item) || present.includes(item)) continue;
    const suggestion = nearest(item, [...names, ...labelsOf(setting, translator)]);
    if (suggestion === undefined) continue;
    const none = translator.t('settings.noFeature', { name: code(shorten(item)) });
    throw new Refusal([none, ...didYouMean(suggestion, translator)].join('\n'));
  }
}

function labelsOf(setting: Setting, { language }: Translator): string[] {
  const { declared } = setting;
  return declared.kind === 'choice'
    ? Object.keys(declared.choices).map((choice) => choiceText(setting, choice, language))
    : [];
}

/** Returns the valid values of a setting, and a similar choice or name as a suggestion. */
function misread(setting: Setting, typed: string, context: SettingContext): string {
  const { declared } = setting;
  const { translator } = context;
  const choices = declared.kind === 'choice' ? Object.keys(declared.choices) : [];
  const names = thingsFor(setting, context).flatMap((thing) => thing.names);
  const named = namedValues(declared.kind, translator.language).flatMap((value) => value.names);
  const known = [...labelsOf(setting, translator), ...choices, ...names, ...named];
  const suggestion = nearest(typed, known);
  return [...didYouMean(suggestion, translator), expectation(setting, context)].join('\n');
}

/** @throws Refusal unless the bot can write in the channel */
async function checkChannel(setting: Setting, id: string, context: SettingContext): Promise<void> {
  if (id === '') return;
  const type = context.channelTypes?.get(id);
  if (type !== undefined && !takesType(setting, type)) {
    throw new Refusal(wrongTypeText(setting, `<#${id}>`, context.translator));
  }
  const state = await context.channels.stateOf(context.guildId, id);
  if (state === 'unknown') throw new Refusal(expectation(setting, context));
  // The channels of a team's settings are for its own bot.
  if (state === 'unwritable' && setting.place === 'record')
    throw new Refusal(context.translator.t('channel.unwritable', { channel: `<#${id}>` }));
}

export function withFeatures(setting: Setting, translator: Translator): Setting {
  const { declared } = setting;
  if (declared.kind !== 'choice' || declared.open === undefined) return setting;
  return { ...setting, declared: { ...declared, choices: featuresOf(translator) } };
}

/** Returns the words to type for the values of a setting, in the language of the guild or else of the person. */
function wordsOf(setting: Setting, { translator, ownTranslator = translator }: Reading): TypedWords {
  const guild = wordsIn(setting, translator);
  if (ownTranslator === translator) return guild;
  const own = wordsIn(setting, ownTranslator);
  return {
    ...guild,
    wordOf: (typed) => guild.wordOf(typed) ?? own.wordOf(typed),
    numberIn: (...typed) => guild.numberIn(...typed) ?? own.numberIn(...typed),
    secondsIn: (typed) => guild.secondsIn(typed) ?? own.secondsIn(typed),
    valueIn: (...typed) => guild.valueIn(...typed) ?? own.valueIn(...typed),
  };
}

function wordsIn(setting: Setting, translator: Translator): TypedWords {
  const words = typedWords(setting, translator);
  const shown = setting.declared.kind === 'switch' ? (['off', 'on'] as const) : (['none'] as const);
  return {
    ...words,
    wordOf(typed) {
      const isTyped = (word: string) => folded(translator.word(word)) === folded(typed.trim());
      return shown.find(isTyped) ?? words.wordOf(typed);
    },
  };
}
