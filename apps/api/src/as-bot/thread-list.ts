import type { GuildChannel } from '@guild-settings/contract';
import type { DiscordThread } from './discord-guild.ts';
import type { GuildView } from './guild-views.ts';
import { BITS, channelPermissions, has, type PermissionMember } from './permissions.ts';

/** Discord's number of the type of a private thread. */
const PRIVATE_THREAD = 12;

/** The permissions that the bot needs to announce in a thread. */
const THREAD_PERMISSIONS = ['VIEW_CHANNEL', 'SEND_MESSAGES_IN_THREADS'] as const;

interface ThreadListOptions {
  readonly view: GuildView;
  /** Null: a caller that sees every thread. */
  readonly caller: PermissionMember | null;
  readonly nowMs: number;
}

/**
 * Lists the threads that a caller sees, and what the bot lacks in each. A thread has the permissions of its channel. A private one
 * is listed for callers who manage threads: its members are not known.
 */
export function listThreads(threads: readonly DiscordThread[], options: ThreadListOptions): GuildChannel[] {
  const { view, caller, nowMs } = options;
  return threads.flatMap(({ id, type, name, parentId }) => {
    const parent = view.channels.find((channel) => channel.id === parentId);
    if (parent === undefined) return [];
    const permissionsOf = (member: PermissionMember) =>
      channelPermissions(view.guild, member, { overwrites: parent.overwrites, nowMs });
    const toSee = type === PRIVATE_THREAD ? BITS.MANAGE_THREADS : BITS.VIEW_CHANNEL;
    if (caller !== null && !has(permissionsOf(caller), toSee)) return [];
    const missing = THREAD_PERMISSIONS.filter((permission) => !has(permissionsOf(view.bot), BITS[permission]));
    return [{ id, type, name, position: 0, parent_id: parentId, botCanPost: missing.length === 0, missing }];
  });
}
