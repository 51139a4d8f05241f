import { type Actor, FEATURES, GuildSettings, type RecordSettings } from '@guild-settings/contract';
import { actorName, type Part, plainText, shorten, valueParts } from '@guild-settings/i18n';
import { channelIdOf } from '../discord/channels.ts';
import { code } from '../i18n/text.ts';
import type { Translator } from '../i18n/translator.ts';

/** Name of a setting in the record. */
export type SettingName = keyof GuildSettings;

/** All settings, in the order of the record. */
export const SETTING_NAMES = GuildSettings.keyof().options;

/** Features that are listed by name. The others are counted. */
const MAX_LISTED_FEATURES = 10;

/** Formats the value of a setting in a language. */
export function settingText(name: SettingName, settings: RecordSettings, translator: Translator): string {
  return markdown(valueParts(name, settings[name], translator, MAX_LISTED_FEATURES), translator);
}

/**
 * Formats parts of a text as Discord's Markdown. Values that users typed are code, which formats and mentions nothing. A feature of
 * the catalogue has its name in the language of the reader. A mention of a person sends no notification in a reply of the bot.
 */
export function markdown(parts: readonly Part[], translator: Translator): string {
  return plainText(parts, {
    value: code,
    feature: (id) => FEATURES.find(({ name }) => name === id)?.names[translator.language] ?? code(shorten(id)),
    channel: (id) => (channelIdOf(id) === undefined ? code(shorten(id)) : `<#${id}>`),
    person: (actor) => personText(actor, translator),
  });
}

function personText(actor: Actor, translator: Translator): string {
  const { kind, id } = actor;
  if (kind === 'user' && id !== null) return `<@${id}>`;
  const name = actorName(actor, translator);
  // The kind of an author of a newer service is text that it sent.
  return ['user', 'application', 'platform'].includes(kind) ? name : code(name);
}
