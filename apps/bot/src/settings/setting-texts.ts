import { type Actor, FEATURES, type GuildSettings, type RecordSettings } from '@guild-settings/contract';
import { type Setting, SPECIFIED_SETTINGS, valueIn } from '@guild-settings/contract/settings';
import { actorName, type Part, plainText, shorten, valueParts } from '@guild-settings/i18n';
import { channelIdOf } from '../discord/channels.ts';
import { code } from '../i18n/text.ts';
import type { Translator } from '../i18n/translator.ts';

/** Name of a setting in the record. */
export type SettingName = keyof GuildSettings;

/** All settings, in the order of the record. */
export const SETTINGS = SPECIFIED_SETTINGS.all;
export const SETTING_NAMES = SETTINGS.map(({ field }) => field as SettingName);

/** Items of a list that are named. The others are counted. */
const MAX_LISTED = 10;

/** @throws when there is no setting of this name */
export function settingNamed(name: string): Setting {
  const setting = SPECIFIED_SETTINGS.byField.get(name);
  if (setting === undefined) throw new Error(`Expected the name of a setting, received ${name}`);
  return setting;
}

/** Formats the value of a setting in a language. */
export function settingText(name: string, settings: RecordSettings, translator: Translator): string {
  return markdown(valueParts(name, valueIn(settings, settingNamed(name)), translator, MAX_LISTED), translator);
}

/**
 * Formats parts of a text as Discord's Markdown. Values that users typed are code, which formats and mentions nothing. A feature of
 * the catalogue has its name in the language of the reader. A mention of a person sends no notification in a reply of the bot.
 */
export function markdown(parts: readonly Part[], translator: Translator): string {
  return plainText(parts, {
    value: code,
    feature: (id) => FEATURES.find(({ name }) => name === id)?.names[translator.language] ?? code(shorten(id)),
    role: (id) => `<@&${id}>`,
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
