import { type Actor, FEATURES, type RecordSettings } from '@guild-settings/contract';
import {
  type Item,
  named,
  type Setting,
  type SettingValue,
  SPECIFIED_SETTINGS,
  type Texts,
  textIn,
  valueIn,
} from '@guild-settings/contract/settings';
import { actorName, fieldLabel, type Part, plainText, shorten, valueParts } from '@guild-settings/i18n';
import { channelIdOf } from '../discord/channels.ts';
import { code, LOCK, literal, nearest, ordered } from '../i18n/text.ts';
import type { Translator } from '../i18n/translator.ts';

/** Maximum listed items of a list. The others are counted. */
export const MAX_LISTED = 10;

/** Returns the name of a setting in replies: for a specified one the word that people type, otherwise its label. */
export function settingName(setting: Setting, translator: Translator): string {
  const { name, place } = setting;
  return place === 'record' ? translator.word(name) : literal(settingLabel(setting, translator));
}

/** Returns a text about a setting with its name before it. */
export function labelled(setting: Setting, value: string, translator: Translator): string {
  return translator.shared('labelled', { label: `**${settingName(setting, translator)}**`, value });
}

export function isLocked({ declared }: Setting): boolean {
  return declared.setBy === 'application';
}

export function settingText(setting: Setting, settings: RecordSettings, translator: Translator): string {
  return markdown(valueParts(setting.field, valueIn(settings, setting), translator, MAX_LISTED), translator);
}

/**
 * Formats parts of a text as Discord's Markdown. Values typed by users are code, without formatting or mentions. A
 * feature of the catalogue has its name in the language of the reader. A mention of a person does not notify them in a
 * reply of the bot.
 */
export function markdown(parts: readonly Part[], translator: Translator): string {
  return plainText(parts, {
    value: code,
    declared: literal,
    feature: (id) => featureText(id, translator),
    role: (id) => (/^\d{17,20}$/.test(id) ? `<@&${id}>` : code(shorten(id))),
    channel: (id) => (channelIdOf(id) === undefined ? code(shorten(id)) : `<#${id}>`),
    emoji: (text) => text,
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
  // An author kind of a newer service is text that it sent.
  return ['user', 'application', 'platform'].includes(kind) ? name : code(name);
}

/** Finds a setting by its field, its name, the word for it, its label, or its suggestion; undefined: not found. */
export function findSetting(typed: string, translator: Translator): Setting | undefined {
  const { all, byField } = translator.settings;
  const wanted = typed.trim();
  const known = byField.get(wanted) ?? all.find((one) => typedNames(one, translator).includes(wanted));
  if (known !== undefined) return known;
  const byNames = (namesOf: (one: Setting) => readonly string[]) => {
    const [found, other] = named(wanted, all, namesOf);
    return other === undefined ? found : undefined;
  };
  return (
    byNames((one) => typedNames(one, translator)) ??
    byNames((one) => [settingLabel(one, translator)]) ??
    byNames((one) => suggestedNames(one, translator))
  );
}

/** Returns the name or label of a similar setting; undefined: none is similar. */
export function similarSetting(typed: string, translator: Translator): string | undefined {
  const names = translator.settings.all.flatMap((one) => [
    ...typedNames(one, translator).toReversed(),
    settingLabel(one, translator),
  ]);
  return nearest(typed, names);
}

/** Returns a label with that of its group, as in suggestions. */
export function fullLabel(setting: Setting, translator: Translator): string {
  const group = groupLabel(setting, translator);
  return [...(group === undefined ? [] : [group]), settingLabel(setting, translator)].join(' · ');
}

function suggestedNames(setting: Setting, translator: Translator): string[] {
  const label = fullLabel(setting, translator);
  return [label, LOCK + label].map(ordered);
}

export function settingLabel({ name, place, field, declared }: Setting, translator: Translator): string {
  return place === 'record' ? fieldLabel(field, translator) : (textIn(declared.label, translator.language) ?? name);
}

export function typedNames({ name, place, shownField, was }: Setting, { language, vocabulary }: Translator): string[] {
  return place === 'custom'
    ? [name, shownField, ...was]
    : [name, vocabulary.wordIn('en-US', name), vocabulary.wordIn(language, name)];
}

export function groupLabel({ declared }: Setting, { settings, language }: Translator): string | undefined {
  const { groups = {} } = settings.declaration ?? {};
  const { group = '' } = declared;
  return Object.hasOwn(groups, group) ? (textIn(groups[group]?.label, language) ?? group) : undefined;
}

/** A group of settings, with the names that find it. */
interface NamedGroup {
  readonly name: string;
  /** In the language of the translator. */
  readonly label: string;
  readonly labels: readonly string[];
}

/** Returns the groups with settings, in order. */
export function groupsIn({ settings, language }: Translator): NamedGroup[] {
  const groups = Object.entries(settings.declaration?.groups ?? {});
  const isUsed = (group: string) => settings.all.some(({ declared }) => declared.group === group);
  return groups.flatMap(([name, { label }]) => {
    const labels = Object.values(label).filter((text) => text !== undefined);
    return isUsed(name) ? [{ name, label: textIn(label, language) ?? name, labels }] : [];
  });
}

/** Finds a group by its name, its label in any language, or its suggestion, and returns its name. */
export function findGroup(typed: string, translator: Translator): string | undefined {
  const groups = groupsIn(translator);
  const byNames = (namesOf: (group: NamedGroup) => readonly string[]) => named(typed, groups, namesOf)[0]?.name;
  const suggested = (text: string, note: string) => ordered(translator.shared('noted', { text, note }));
  return (
    byNames(({ name }) => [name]) ??
    byNames(({ label }) => [label]) ??
    byNames(({ name, labels }) => labels.flatMap((label) => [label, ordered(label), suggested(label, name)]))
  );
}

/** Returns the label or name of a similar group; undefined: none is similar. */
export function similarGroup(typed: string, translator: Translator): string | undefined {
  return nearest(
    typed,
    groupsIn(translator).flatMap(({ name, label, labels }) => [label, ...labels, name]),
  );
}

export const FEATURE_LIST = SPECIFIED_SETTINGS.byField.get('enabledFeatures') as Setting;

export function featuresOf({ settings }: Pick<Translator, 'settings'>): Readonly<Record<string, Texts>> {
  const declared = Object.entries(settings.declaration?.features ?? {});
  if (declared.length > 0) return Object.fromEntries(declared.map(([name, { label }]) => [name, label]));
  return Object.fromEntries(FEATURES.map(({ name, names }) => [name, names]));
}

function featureLabel(name: string, translator: Pick<Translator, 'settings' | 'language'>): string | undefined {
  const features = featuresOf(translator);
  return Object.hasOwn(features, name) ? textIn(features[name], translator.language) : undefined;
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;

/** Returns a value in a form that can be typed in any language; empty: it cannot be typed in an option. */
export function typedValue(setting: Setting, value: SettingValue): string {
  const items = [value].flat() as readonly Item[];
  if (items.length === 0 || value === '') return 'none';
  const isTypeable = (text: string) => text !== 'none' && !(setting.many ? /[,、，\n]/ : /\n/).test(text);
  if (setting.declared.kind === 'text' && !items.map(String).every(isTypeable)) return '';
  return items.map((item) => typedItem(setting, item)).join(', ');
}

export function typedItem({ declared }: Setting, item: Item): string {
  if (typeof item === 'boolean') return item ? 'on' : 'off';
  if (declared.kind === 'duration') return typedDuration(Number(item));
  // In some languages, three digits after a point are thousands.
  return declared.kind === 'number' ? String(item).replace(/\.\d{3}$/, '$&0') : String(item);
}

function typedDuration(seconds: number): string {
  let rest = seconds;
  const parts = UNITS.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest %= size;
    return count === 0 ? [] : [`${count}${unit}`];
  });
  return parts.join(' ') || '0s';
}
