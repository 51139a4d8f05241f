import { bitOf, CHANNEL_PERMISSION_NAMES, CHANNEL_PERMISSIONS, type ChannelPermission } from './channel-permissions.ts';
import { CHANNEL_TYPE_NUMBERS, isThread, takesMessages } from './channel-types.ts';
import type { Setting } from './setting.ts';
import type { Row } from './setting-declaration.ts';

/** The properties of a channel that are relevant for the bot. */
export interface BotChannel {
  /** Discord's type number. */
  readonly type: number;
  /**
   * The permissions of the bot in it, as returned by `botPermissionsText`; absent: a 1.0.0 service does not send them.
   */
  readonly botPermissions?: string;
}

/**
 * Returns the permissions needed by a setting that the bot lacks in a channel, by discord.js's names. Empty if the
 * bot's permissions are unknown.
 */
export function lackingIn(setting: NeedingSetting, { type, botPermissions }: BotChannel): readonly ChannelPermission[] {
  if (botPermissions === undefined) return [];
  const bits = BigInt(botPermissions);
  return neededIn(setting, type).filter((name) => (bits & bitOf(name)) === 0n);
}

type NeedingSetting = Pick<Setting, 'declared' | 'many' | 'place'>;

/** The permissions that have no effect without Send Messages. */
const IN_MESSAGES: readonly ChannelPermission[] = ['SendTTSMessages', 'EmbedLinks', 'AttachFiles', 'MentionEveryone'];

/**
 * Returns the permissions that a setting needs in a channel of a type, including those without which Discord ignores
 * them. Permissions that do not exist for the type are left out.
 * @see https://docs.discord.com/developers/topics/permissions#implicit-permissions
 */
function neededIn(setting: NeedingSetting, type: number): ChannelPermission[] {
  const { declared, many } = setting;
  const writes = many === undefined && takesMessages(setting, { type });
  const byDefault: readonly ChannelPermission[] = writes ? ['ViewChannel', 'SendMessages'] : [];
  const needs = (declared.kind === 'channel' ? declared.needs : undefined) ?? byDefault;
  const isVoice = kindOf(type) === 'V' || kindOf(type) === 'S';
  const all = needs
    // A later version may have other permissions.
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

/** Returns the letter of a channel type; empty: a category, or a type that this version does not know. */
function kindOf(type: number): string {
  const { text, announcement, forum, media, voice, stage } = CHANNEL_TYPE_NUMBERS;
  if (type === voice) return 'V';
  if (type === stage) return 'S';
  return isThread(type) || [text, announcement, forum, media].includes(type) ? 'T' : '';
}

/** A channel or a role in a value. */
export interface Reference {
  /** The setting that uses it; in a table, the column. */
  readonly setting: Setting;
  readonly id: string;
}

/** Returns the channels and roles in the value of a setting. */
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
