import type { AnnouncementPermission, GuildChannel } from '@guild-settings/contract';
import type { DiscordChannel } from './discord-guild.ts';
import type { GuildView } from './guild-views.ts';
import { BITS, channelPermissions, has, type PermissionMember } from './permissions.ts';

/**
 * Discord's numbers of the channel types that matter here.
 * @see https://docs.discord.com/developers/resources/channel#channel-object-channel-types
 */
const CHANNEL_TYPE = { text: 0, voice: 2, category: 4, announcement: 5, stage: 13 } as const;

/** Types whose channels take messages. Voice and stage channels have a chat; a forum has threads only. */
const MESSAGE_TYPES: ReadonlySet<number> = new Set([
  CHANNEL_TYPE.text,
  CHANNEL_TYPE.announcement,
  CHANNEL_TYPE.voice,
  CHANNEL_TYPE.stage,
]);

/** Types that need Connect for their chat, and that Discord's client shows below the others of a category. */
const VOICE_TYPES: ReadonlySet<number> = new Set([CHANNEL_TYPE.voice, CHANNEL_TYPE.stage]);

/** The permissions that the bot needs to announce in a channel, and in the chat of a voice or stage channel. */
const TEXT_PERMISSIONS = ['VIEW_CHANNEL', 'SEND_MESSAGES'] as const;
const VOICE_PERMISSIONS = ['VIEW_CHANNEL', 'CONNECT', 'SEND_MESSAGES'] as const;

export function listChannels(view: GuildView, caller: PermissionMember | null, nowMs: number): GuildChannel[] {
  const { guild, channels, bot } = view;
  const sees = ({ overwrites }: DiscordChannel) =>
    caller === null || has(channelPermissions(guild, caller, { overwrites, nowMs }), BITS.VIEW_CHANNEL);
  const seen = new Set(channels.filter(sees));
  const parents = new Set([...seen].map(({ parentId }) => parentId));
  const listed = channels.filter((channel) => seen.has(channel) || (isCategory(channel) && parents.has(channel.id)));
  return inOrder(listed).map((channel) => {
    const { id, type, name, position, parentId, overwrites } = channel;
    const missing = missingPermissions(type, channelPermissions(guild, bot, { overwrites, nowMs }));
    const botCanPost = MESSAGE_TYPES.has(type) && missing.length === 0;
    return { id, type, name, position, parent_id: parentId, botCanPost, missing };
  });
}

function missingPermissions(type: number, permissions: bigint): AnnouncementPermission[] {
  if (!MESSAGE_TYPES.has(type)) return [];
  const needed = VOICE_TYPES.has(type) ? VOICE_PERMISSIONS : TEXT_PERMISSIONS;
  return needed.filter((name) => !has(permissions, BITS[name]));
}

function isCategory({ type }: DiscordChannel): boolean {
  return type === CHANNEL_TYPE.category;
}

function inOrder(channels: readonly DiscordChannel[]): DiscordChannel[] {
  const sorted = channels.toSorted(byPosition);
  const categories = sorted.filter(isCategory);
  const groups = new Map<string | null, DiscordChannel[]>(
    [null, ...categories.map(({ id }) => id)].map((id) => [id, []]),
  );
  for (const channel of sorted) {
    if (!isCategory(channel)) (groups.get(channel.parentId) ?? groups.get(null))?.push(channel);
  }
  return [...(groups.get(null) ?? []), ...categories.flatMap((one) => [one, ...(groups.get(one.id) ?? [])])];
}

function byPosition(a: DiscordChannel, b: DiscordChannel): number {
  const [voiceA, voiceB] = [VOICE_TYPES.has(a.type), VOICE_TYPES.has(b.type)];
  if (voiceA !== voiceB) return voiceA ? 1 : -1;
  if (a.position !== b.position) return a.position - b.position;
  return BigInt(a.id) < BigInt(b.id) ? -1 : 1;
}
