import { bitOf, CHANNEL_PERMISSION_NAMES, CHANNEL_PERMISSIONS, type ChannelPermission } from './channel-permissions.ts';
import { CHANNEL_TYPE_NUMBERS, isThread, takesMessages } from './channel-types.ts';
import type { Setting } from './setting.ts';
import type { Row } from './setting-declaration.ts';

/** A channel, as far as it matters to the bot. */
export interface BotChannel {
  /** Discord's number of the type. */
  readonly type: number;
  /** The permissions of the bot in it, as `botPermissionsText` returns them; absent: a service of 1.0.0 does not send it. */
  readonly botPermissions?: string;
}

/**
 * Returns the permissions that the bot lacks in a channel, of those that a setting needs there, by discord.js's names. None where it
 * is not known what the bot may do.
 */
export function lackingIn(setting: NeedingSetting, { type, botPermissions }: BotChannel): readonly ChannelPermission[] {
  if (botPermissions === undefined) return [];
  const bits = BigInt(botPermissions);
  return neededIn(setting, type).filter((name) => (bits & bitOf(name)) === 0n);
}

type NeedingSetting = Pick<Setting, 'declared' | 'many' | 'place'>;

/** The permissions that are ignored without Send Messages. */
const IN_MESSAGES: readonly ChannelPermission[] = ['SendTTSMessages', 'EmbedLinks', 'AttachFiles', 'MentionEveryone'];

/**
 * Returns what a setting needs in a channel of a type, with the permissions without which Discord ignores it. What Discord does not
 * have in channels of the type is not needed.
 * @see https://docs.discord.com/developers/topics/permissions#implicit-permissions
 */
function neededIn(setting: NeedingSetting, type: number): ChannelPermission[] {
  const { declared, many } = setting;
  const writes = many === undefined && takesMessages(setting, { type });
  const byDefault: readonly ChannelPermission[] = writes ? ['ViewChannel', 'SendMessages'] : [];
  const needs = (declared.kind === 'channel' ? declared.needs : undefined) ?? byDefault;
  const isVoice = kindOf(type) === 'V' || kindOf(type) === 'S';
  const all = needs
    // A later version may know other permissions.
    .filter((name) => CHANNEL_PERMISSION_NAMES.includes(name) && CHANNEL_PERMISSIONS[name][1].includes(kindOf(type)))
    .flatMap((name): readonly ChannelPermission[] => [
      'ViewChannel',
      ...(isVoice && name !== 'ViewChannel' ? (['Connect'] as const) : []),
      ...(IN_MESSAGES.includes(name) ? (['SendMessages'] as const) : []),
      name,
    ])
    .map((name) => (isThread(type) && name === 'SendMessages' ? 'SendMessagesInThreads' : name));
  return [...new Set(all)];
}

/** Returns the letter of the channels of a type; empty: a category, or a type that this version does not know. */
function kindOf(type: number): string {
  const { text, announcement, forum, media, voice, stage } = CHANNEL_TYPE_NUMBERS;
  if (type === voice) return 'V';
  if (type === stage) return 'S';
  return isThread(type) || [text, announcement, forum, media].includes(type) ? 'T' : '';
}

/** A channel or a role that a value names. */
export interface Reference {
  /** The setting that says what it is for: that of a table is the column. */
  readonly setting: Setting;
  readonly id: string;
}

/** Returns the channels and roles that the value of a setting names. */
export function referencesIn(setting: Setting, value: unknown): readonly Reference[] {
  const { columns, declared } = setting;
  const items = [value].flat();
  if (columns !== undefined) {
    return (items as readonly (Partial<Row> | null | undefined)[]).flatMap((row) =>
      columns.flatMap((column) => referencesIn(column, row?.[column.name])),
    );
  }
  if (declared.kind !== 'channel' && declared.kind !== 'role') return [];
  return items.flatMap((id) => (typeof id === 'string' && id !== '' ? { setting, id } : []));
}
