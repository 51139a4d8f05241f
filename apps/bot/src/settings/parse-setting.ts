import { GuildSettings, LANGUAGES, LIMITS } from '@guild-settings/contract';
import { code, wordFor } from '../commands/command-texts.ts';
import { fold } from '../commands/find-command.ts';
import type { Invocation } from '../commands/invocation.ts';
import { channelIdOf } from '../commands/options.ts';
import { Refusal } from '../commands/refusal.ts';
import type { Channels } from '../discord/channels.ts';
import type { Language, Speech } from '../speech/speech.ts';
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
  const { speech } = invocation;
  switch (name) {
    case 'prefix':
      return { prefix: parsePrefix(typed, speech) };
    case 'announcement_channel':
      return { announcement_channel: await parseChannel(typed, invocation, channels) };
    case 'beta':
      return { beta: parseSwitch(typed, speech) };
    case 'language':
      return { language: parseLanguage(typed, speech) };
    case 'enabledFeatures':
      return { enabledFeatures: parseFeatures(typed, speech) };
  }
}

function parsePrefix(typed: string, speech: Speech): string {
  const value = isWord(typed, 'none', speech) ? '' : typed;
  if (!GuildSettings.shape.prefix.safeParse(value).success) {
    throw new Refusal(speech.t('settings.badPrefix', { max: LIMITS.prefix, none: typedWord('none', speech) }));
  }
  return value;
}

async function parseChannel(
  typed: string,
  { guildId, channelId, speech }: Invocation,
  channels: Channels,
): Promise<string> {
  if (isWord(typed, 'none', speech)) return '';
  const id = channelIdOf(typed);
  const state = id === undefined ? 'unknown' : await channels.stateOf(guildId, id);
  if (id === undefined || state === 'unknown') {
    throw new Refusal(speech.t('settings.badChannel', { channel: `<#${channelId}>`, none: typedWord('none', speech) }));
  }
  if (state === 'unwritable') throw new Refusal(speech.t('channel.unwritable', { channel: `<#${id}>` }));
  return id;
}

function parseSwitch(typed: string, speech: Speech): boolean {
  if (isWord(typed, 'on', speech) || fold(typed) === 'true') return true;
  if (isWord(typed, 'off', speech) || fold(typed) === 'false') return false;
  throw new Refusal(speech.t('settings.badSwitch', { on: typedWord('on', speech), off: typedWord('off', speech) }));
}

/** By its code, by its name in the guild's language, or by its own name. */
function parseLanguage(typed: string, speech: Speech): Language {
  const found = LANGUAGES.find((language) => {
    const [bare = language] = language.split('-');
    const own = new Intl.DisplayNames(language, { type: 'language' });
    const names = [language, bare, speech.languageName(language), own.of(language), own.of(bare)];
    return names.some((name) => name !== undefined && fold(name) === fold(typed));
  });
  if (found !== undefined) return found;
  const languages = LANGUAGES.map((language) => `${code(language)} (${speech.languageName(language)})`);
  throw new Refusal(speech.t('settings.badLanguage', { languages: speech.list(languages) }));
}

function parseFeatures(typed: string, speech: Speech): string[] {
  if (isWord(typed, 'none', speech)) return [];
  const names = typed.split(/[,、，\s]+/).filter((name) => name !== '');
  if (names.length > 0 && GuildSettings.shape.enabledFeatures.safeParse(names).success) return names;
  const { features: max, featureName: length } = LIMITS;
  throw new Refusal(speech.t('settings.badFeatures', { max, length, none: typedWord('none', speech) }));
}

function isWord(typed: string, word: 'none' | 'on' | 'off', { language }: Speech): boolean {
  return [word, fold(wordFor(language, word))].includes(fold(typed.trim()));
}

function typedWord(word: 'none' | 'on' | 'off', { language }: Speech): string {
  return code(wordFor(language, word));
}
