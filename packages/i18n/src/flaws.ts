import { LIMITS } from '@guild-settings/contract/constants';
import {
  type BotChannel,
  type ChannelPermission,
  type Flaw,
  lackingIn,
  type Setting,
  type SettingValue,
  flawsOf as settingFlaws,
  takesType,
  textFlaws,
} from '@guild-settings/contract/settings';
import { numberText } from './values.ts';
import { commaList, ownText, type Words } from './words.ts';

/** A reason why a value is invalid, with the parts used by its text. */
export type ShownFlaw = Omit<Flaw, 'length' | 'of'>;

/** Flaws that take precedence over others of the same value, in order. */
const SHOWN_FIRST: readonly Flaw['key'][] = ['tooMany', 'tooLong', 'lineBreak', 'unprintable'];

/**
 * The flaws of an open list that are shown. Its names are not typed individually: the service and the bot explain the
 * others.
 */
const SHOWN_OF_NAMES: readonly Flaw['key'][] = ['tooMany', 'invisible'];

/** Returns the length of a text as counted by the service: in code points, so that an emoji counts as one. */
export function lengthOf(text: string): number {
  return [...text].length;
}

/**
 * Returns the reason for which the service would refuse a value. The service validates it as well: this saves a
 * request.
 * @param guildId the guild, whose role @everyone is refused
 */
export function flawOf(setting: Setting, value: SettingValue, guildId?: string): ShownFlaw | undefined {
  const flaws = settingFlaws(setting, value, guildId);
  const isOpen = setting.declared.open !== undefined;
  return firstOf(isOpen ? flaws.filter(({ key }) => SHOWN_OF_NAMES.includes(key)) : flaws);
}

export function reasonFlaw(reason: string): ShownFlaw | undefined {
  return firstOf(textFlaws(reason, { max: LIMITS.reason }));
}

/** Returns the text that explains a flaw. @param setting the setting with the flaw, which may have a specific text */
export function flawText({ key, ...flaw }: ShownFlaw, words: Words, setting?: Setting): string {
  const { column: name, names = [] } = flaw;
  const flawed = setting?.columns?.find((column) => column.name === name) ?? setting;
  const isLimit = flawed !== undefined && (key === 'tooSmall' || key === 'tooLarge');
  const count = isLimit ? numberText(flawed, flaw.count, words.language) : flaw.count;
  const inBraces = (placeholder = '') => `{${placeholder}}`;
  // Not every kind has a specific text for a flaw, so the keys cannot be typed.
  return ownText(words, [`flawIn.${setting?.field}.${key}`], `flaw.${key}` as 'flaw.notId', {
    ...flaw,
    count,
    name: inBraces(flaw.name),
    names: commaList(names.map(inBraces), words.language),
  });
}

/** Returns the text about an ambiguous input. @param meanings unambiguous texts to type instead */
export function ambiguousText(meanings: readonly string[], { shared, language }: Words): string {
  const list = new Intl.ListFormat(language, { type: 'disjunction' }).format(meanings);
  return shared(meanings.length === 1 ? 'ambiguous.one' : 'ambiguous.several', { meanings: list });
}

function firstOf(flaws: readonly Flaw[]): ShownFlaw | undefined {
  const [first] = [...SHOWN_FIRST.flatMap((key) => flaws.filter((flaw) => flaw.key === key)), ...flaws];
  if (first === undefined) return undefined;
  const { length: _, of: __, ...shown } = first;
  return shown;
}

/** The properties of a role that are relevant for the bot. */
export interface KnownRole {
  readonly managed: boolean;
  /** True: the bot can assign it to members. */
  readonly assignable: boolean;
}

interface Shown {
  /** The id, the name or a mention. */
  readonly name: string;
  /** The name before the text about what the bot cannot do with it, where that is not clear; absent: none. */
  readonly label?: string | undefined;
}

function labelled(label: string | undefined, value: string, shared: Words['shared']): string {
  return label === undefined ? value : shared('labelled', { label, value });
}

/**
 * Returns the warnings about a channel in a setting. They do not prevent saving.
 * @param channel undefined: not in the guild, or not visible
 */
export function channelWarnings(
  setting: Setting,
  channel: BotChannel | undefined,
  { name: id, label }: Shown,
  words: Words,
): readonly string[] {
  const { shared } = words;
  if (channel === undefined) return setting.place === 'custom' ? [shared('reference.channel.gone', { id })] : [];
  if (!takesType(setting, channel.type)) return [wrongTypeText(setting, id, words)];
  const note = channelNote(setting, channel, words);
  return note === undefined ? [] : [labelled(label, note, shared), shared('reference.channel.missingHelp')];
}

/** Returns the permissions that the bot lacks for a setting's use of a channel; undefined: none. */
export function channelNote(setting: Setting, channel: BotChannel, { shared, language }: Words): string | undefined {
  const lacking = lackingIn(setting, channel);
  if (lacking.length === 0) return undefined;
  const isWriting = lacking.some((name) => name === 'SendMessages' || name === 'SendMessagesInThreads');
  const why = isWriting ? 'reference.channel.cannotWrite' : 'reference.channel.lacks';
  return shared(why, { permissions: permissionList(lacking, { shared, language }) });
}

/** Returns permissions by their names in Discord's client. */
export function permissionList(
  names: readonly ChannelPermission[],
  { shared, language }: Pick<Words, 'shared' | 'language'>,
): string {
  return new Intl.ListFormat(language).format(names.map((name) => shared(`reference.permission.${name}`)));
}

/**
 * Returns the text about an unsupported channel type, with the supported types. @param id the channel as shown to the
 * reader
 */
export function wrongTypeText({ declared }: Setting, id: string, { shared, language }: Words): string {
  const types = (declared.kind === 'channel' ? declared.types : undefined) ?? [];
  const names = types.map((type) => shared(`reference.type.${type}`));
  return shared('reference.channel.wrongType', { id, types: commaList(names, language) });
}

/**
 * Returns the warnings about a role in a setting. They do not prevent saving.
 * @param role undefined: not in the guild
 */
export function roleWarnings(
  role: KnownRole | 'everyone' | undefined,
  { name: id, label }: Shown,
  { shared }: Pick<Words, 'shared'>,
): readonly string[] {
  if (role === undefined) return [shared('reference.role.gone', { id })];
  if (role === 'everyone') return [shared('flaw.everyone')];
  const note = roleNote(role, { shared });
  return note === undefined ? [] : [labelled(label, note, shared), shared('reference.role.cannotGiveHelp')];
}

/** Returns why the bot cannot assign a role to members; undefined: it can. */
export function roleNote({ managed, assignable }: KnownRole, { shared }: Pick<Words, 'shared'>): string | undefined {
  if (managed) return shared('reference.role.managed');
  return assignable ? undefined : shared('reference.role.cannotGive');
}
