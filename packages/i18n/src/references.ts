import { type Setting, takesMessages, takesType } from '@guild-settings/contract/settings';
import { commaList, type Words } from './words.ts';

/** A channel that a setting names, as far as it matters to the bot. */
export interface KnownChannel {
  /** Discord's number of the type. */
  readonly type: number;
  readonly botCanPost: boolean;
  /** The permissions that the bot lacks to write in it, by Discord's names. */
  readonly missing: readonly string[];
}

/** A role that a setting names, as far as it matters to the bot. */
export interface KnownRole {
  readonly managed: boolean;
  /** True: the bot can give it to members. */
  readonly assignable: boolean;
}

/** A channel or a role as the reader sees it. */
interface Shown {
  /** The id, the name or a mention. */
  readonly name: string;
  /** The beginning of the text about what the bot cannot do with it. */
  readonly lead: string;
}

/**
 * Returns the warnings about a channel in a setting. They do not prevent saving.
 * @param channel undefined: the guild has no such channel, or it is not visible
 */
export function channelWarnings(
  setting: Setting,
  channel: KnownChannel | undefined,
  { name: id, lead }: Shown,
  words: Words,
): readonly string[] {
  const { shared, language } = words;
  if (channel === undefined) return setting.place === 'custom' ? [shared('reference.channel.gone', { id })] : [];
  if (!takesType(setting, channel.type)) return [wrongTypeText(setting, id, words)];
  if (!takesMessages(setting, channel) || channel.botCanPost) return [];
  // A later service may name other permissions.
  const nameOf = (name: string) => shared(`reference.permission.${name}` as never, { defaultValue: name });
  const permissions = new Intl.ListFormat(language).format(channel.missing.map(nameOf));
  const why = permissions === '' ? 'reference.channel.cannotPost' : 'reference.channel.missing';
  return [`${lead}${shared(why, { permissions })}`, shared('reference.channel.missingHelp')];
}

/** Returns the text that a setting does not take a channel of a type, with the types that it takes. @param id the channel as the reader sees it */
export function wrongTypeText({ declared }: Setting, id: string, { shared, language }: Words): string {
  const types = (declared.kind === 'channel' ? declared.types : undefined) ?? [];
  const names = types.map((type) => shared(`reference.type.${type}`));
  return shared('reference.channel.wrongType', { id, types: commaList(names, language) });
}

/**
 * Returns the warnings about a role in a setting. They do not prevent saving.
 * @param role undefined: the guild has no such role
 */
export function roleWarnings(
  role: KnownRole | 'everyone' | undefined,
  { name: id, lead }: Shown,
  { shared }: Pick<Words, 'shared'>,
): readonly string[] {
  if (role === undefined) return [shared('reference.role.gone', { id })];
  if (role === 'everyone') return [shared('flaw.everyone')];
  const note = roleNote(role, { shared });
  return note === undefined ? [] : [`${lead}${note}`, shared('reference.role.cannotGiveHelp')];
}

/** Returns why the bot cannot give a role to members; undefined: it can. */
export function roleNote({ managed, assignable }: KnownRole, { shared }: Pick<Words, 'shared'>): string | undefined {
  if (managed) return shared('reference.role.managed');
  return assignable ? undefined : shared('reference.role.cannotGive');
}
