import type { Actor, RecordSettings } from '@guild-settings/contract';
import { type Setting, valueIn } from '@guild-settings/contract/settings';
import { actorName, type Part, plainText, shorten, valueParts } from '@guild-settings/i18n';
import { channelIdOf } from '../discord/channels.ts';
import { code, literal, wordFor } from '../i18n/text.ts';
import type { Translator } from '../i18n/translator.ts';
import { featureLabel } from './features.ts';
import { settingLabel } from './find-setting.ts';

/** Items of a list that are named. The others are counted. */
const MAX_LISTED = 10;

/** Returns what a setting is called in a reply: the word that people type for a specified one, else its label. */
export function settingName(setting: Setting, translator: Translator): string {
  const { name, place } = setting;
  return place === 'record' ? wordFor(translator.language, name) : literal(settingLabel(setting, translator));
}

export function isLocked({ declared }: Setting): boolean {
  return declared.setBy === 'application';
}

export function settingText(setting: Setting, settings: RecordSettings, translator: Translator): string {
  return markdown(valueParts(setting.field, valueIn(settings, setting), translator, MAX_LISTED), translator);
}

/**
 * Formats parts of a text as Discord's Markdown. Values that users typed are code, which formats and mentions nothing. A feature of
 * the catalogue has its name in the language of the reader. A mention of a person sends no notification in a reply of the bot.
 */
export function markdown(parts: readonly Part[], translator: Translator): string {
  return plainText(parts, {
    value: code,
    declared: literal,
    feature: (id) => featureText(id, translator),
    role: (id) => (/^\d{17,20}$/.test(id) ? `<@&${id}>` : code(shorten(id))),
    channel: (id) => (channelIdOf(id) === undefined ? code(shorten(id)) : `<#${id}>`),
    person: (actor) => personText(actor, translator),
  });
}

function featureText(id: string, translator: Translator): string {
  const label = featureLabel(id, translator);
  return label === undefined ? code(shorten(id)) : literal(label);
}

function personText(actor: Actor, translator: Translator): string {
  const { kind, id } = actor;
  if (kind === 'user' && id !== null) return `<@${id}>`;
  const name = actorName(actor, translator);
  // The kind of an author of a newer service is text that it sent.
  return ['user', 'application', 'platform'].includes(kind) ? name : code(name);
}
