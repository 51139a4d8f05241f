import { GuildSettings, LANGUAGES, LIMITS } from '@guild-settings/contract';
import type { Channels } from '../discord/channels.ts';
import { code, wordFor } from '../framework/command-texts.ts';
import { fold } from '../framework/find-command.ts';
import type { Invocation } from '../framework/invocation.ts';
import { channelIdOf } from '../framework/options.ts';
import { Refusal } from '../i18n/refusal.ts';
import type { Language, Translator } from '../i18n/translator.ts';
import type { SettingName } from './setting-texts.ts';

/**
 * What somebody typed for a setting, as a change.
 * @throws Refusal saying what was expected
 */
export async function parseSetting(
  name: SettingName,
  typed: string,
  { invocation, channels }: { readonly invocation: Invocation; readonly channels: Channels },
): Promise<Partial<GuildSettings>> {
  const { translator } = invocation;
  switch (name) {
    case 'prefix':
      return { prefix: parsePrefix(typed, translator) };
    case 'announcement_channel':
      return { announcement_channel: await parseChannel(typed, invocation, channels) };
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
  if (!GuildSettings.shape.prefix.safeParse(value).success) {
    throw new Refusal(translator.t('settings.badPrefix', { max: LIMITS.prefix, none: typedWord('none', translator) }));
  }
  return value;
}

async function parseChannel(
  typed: string,
  { guildId, channelId, translator }: Invocation,
  channels: Channels,
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

/** By its code, by its name in the guild's language, or by its own name. */
function parseLanguage(typed: string, translator: Translator): Language {
  const found = LANGUAGES.find((language) => {
    const [bare = language] = language.split('-');
    const own = new Intl.DisplayNames(language, { type: 'language' });
    const names = [language, bare, translator.languageName(language), own.of(language), own.of(bare)];
    return names.some((name) => name !== undefined && fold(name) === fold(typed));
  });
  if (found !== undefined) return found;
  const languages = LANGUAGES.map((language) => `${code(language)} (${translator.languageName(language)})`);
  throw new Refusal(translator.t('settings.badLanguage', { languages: translator.list(languages) }));
}

function parseFeatures(typed: string, translator: Translator): string[] {
  if (isWord(typed, 'none', translator)) return [];
  const names = typed.split(/[,、，\s]+/).filter((name) => name !== '');
  if (names.length > 0 && GuildSettings.shape.enabledFeatures.safeParse(names).success) return names;
  const { features: max, featureName: length } = LIMITS;
  throw new Refusal(translator.t('settings.badFeatures', { max, length, none: typedWord('none', translator) }));
}

function isWord(typed: string, word: 'none' | 'on' | 'off', { language }: Translator): boolean {
  return [word, fold(wordFor(language, word))].includes(fold(typed.trim()));
}

function typedWord(word: 'none' | 'on' | 'off', { language }: Translator): string {
  return code(wordFor(language, word));
}
