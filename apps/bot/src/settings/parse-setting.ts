import { FEATURES, type GuildId, GuildSettings, LANGUAGES, LIMITS, type Snowflake } from '@guild-settings/contract';
import { flawsOf, languageName } from '@guild-settings/i18n';
import { type Channels, channelIdOf } from '../discord/channels.ts';
import { code, fold, Refusal, wordFor } from '../i18n/text.ts';
import type { Language, Translator } from '../i18n/translator.ts';
import type { SettingName } from './setting-texts.ts';

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
  name: SettingName,
  typed: string,
  context: SettingContext,
): Promise<Partial<GuildSettings>> {
  const { translator } = context;
  switch (name) {
    case 'prefix':
      return { prefix: parsePrefix(typed, translator) };
    case 'announcement_channel':
      return { announcement_channel: await parseChannel(typed, context) };
    case 'beta':
      return { beta: parseSwitch(typed, translator) };
    case 'language':
      return { language: parseLanguage(typed, translator) };
    case 'enabledFeatures':
      return { enabledFeatures: parseFeatures(typed, translator) };
  }
}

function parsePrefix(typed: string, translator: Translator): string {
  const value = isWord(typed, 'none', translator) ? '' : typed;
  const flaw = flawsOf({ prefix: value }).prefix;
  if (flaw === undefined) return value;
  const hint = translator.t('settings.noPrefix', { none: typedWord('none', translator) });
  throw new Refusal(`${translator.shared(`flaw.${flaw.key}`, { ...flaw })}\n${hint}`);
}

async function parseChannel(
  typed: string,
  { guildId, channelId, translator, channels }: SettingContext,
): Promise<string> {
  if (isWord(typed, 'none', translator)) return '';
  const id = channelIdOf(typed);
  const state = id === undefined ? 'unknown' : await channels.stateOf(guildId, id);
  if (id === undefined || state === 'unknown') {
    throw new Refusal(
      translator.t('settings.badChannel', { channel: `<#${channelId}>`, none: typedWord('none', translator) }),
    );
  }
  if (state === 'unwritable') throw new Refusal(translator.t('channel.unwritable', { channel: `<#${id}>` }));
  return id;
}

function parseSwitch(typed: string, translator: Translator): boolean {
  if (isWord(typed, 'on', translator) || fold(typed) === 'true') return true;
  if (isWord(typed, 'off', translator) || fold(typed) === 'false') return false;
  throw new Refusal(
    translator.t('settings.badSwitch', { on: typedWord('on', translator), off: typedWord('off', translator) }),
  );
}

/** Accepts a language's code, its name in the guild's language, and its own name for itself. */
function parseLanguage(typed: string, translator: Translator): Language {
  const found = LANGUAGES.find((language) => {
    const [bare = language] = language.split('-');
    const own = new Intl.DisplayNames(language, { type: 'language' });
    const names = [language, bare, languageName(language, translator.language), own.of(language), own.of(bare)];
    return names.some((name) => name !== undefined && fold(name) === fold(typed));
  });
  if (found !== undefined) return found;
  const languages = LANGUAGES.map((language) => `${code(language)} (${languageName(language, translator.language)})`);
  throw new Refusal(translator.t('settings.badLanguage', { languages: translator.list(languages) }));
}

/** Accepts the ids of features, and the names of the catalogue in the guild's language. */
function parseFeatures(typed: string, translator: Translator): string[] {
  if (isWord(typed, 'none', translator)) return [];
  const words = typed.split(/[,、，\s]+/).filter((word) => word !== '');
  const names = words.map((word) => featureId(word, translator.language));
  if (names.length > 0 && GuildSettings.shape.enabledFeatures.safeParse(names).success) return names;
  const flaw = flawsOf({ enabledFeatures: names }).enabledFeatures;
  if (flaw?.key === 'invisible') throw new Refusal(translator.shared('flaw.invisible', { ...flaw }));
  const { features: max, featureName: length } = LIMITS;
  throw new Refusal(translator.t('settings.badFeatures', { max, length, none: typedWord('none', translator) }));
}

function featureId(typed: string, language: Language): string {
  return FEATURES.find(({ names }) => fold(names[language]) === fold(typed))?.name ?? typed;
}

function isWord(typed: string, word: 'none' | 'on' | 'off', { language }: Translator): boolean {
  return [word, fold(wordFor(language, word))].includes(fold(typed.trim()));
}

function typedWord(word: 'none' | 'on' | 'off', { language }: Translator): string {
  return code(wordFor(language, word));
}
