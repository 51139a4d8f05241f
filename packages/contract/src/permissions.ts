/**
 * The permission bits with which a member may manage a guild's settings.
 * @see https://docs.discord.com/developers/topics/permissions#permissions-bitwise-permission-flags
 */
export const PERMISSIONS = {
  ADMINISTRATOR: 1n << 3n,
  MANAGE_GUILD: 1n << 5n,
} as const;

/**
 * The permissions that the bot uses and its invitation requests: it reads commands, replies to them (for which Discord
 * requires access to the message history), and posts announcements and reminders in channels and threads.
 */
export const BOT_PERMISSIONS = {
  VIEW_CHANNEL: 1n << 10n,
  SEND_MESSAGES: 1n << 11n,
  READ_MESSAGE_HISTORY: 1n << 16n,
  SEND_MESSAGES_IN_THREADS: 1n << 38n,
} as const;

export const BOT_PERMISSION_BITS: bigint = Object.values(BOT_PERMISSIONS).reduce((all, bit) => all | bit, 0n);

/**
 * Returns true if a member may read and change a guild's settings: the owner, and members with Manage Guild or
 * Administrator.
 * @param permissions the member's permissions as a bit set; never a Number, which loses bits above 2^53
 */
export function mayManageGuild({ owner, permissions }: { owner: boolean; permissions: bigint }): boolean {
  return owner || (permissions & (PERMISSIONS.ADMINISTRATOR | PERMISSIONS.MANAGE_GUILD)) !== 0n;
}

export interface Invitation {
  readonly authorizeUrl: string;
  readonly applicationId: string;
  /** The guild to invite the bot to; the user chooses one unless given. */
  readonly guild?: string;
}

/**
 * Returns the URL of the page where a user adds the bot to a guild, with the permissions that the bot uses.
 * @see https://docs.discord.com/developers/topics/oauth2#bot-authorization-flow
 */
export function inviteUrl({ authorizeUrl, applicationId, guild }: Invitation): string {
  const url = new URL(authorizeUrl);
  url.searchParams.set('client_id', applicationId);
  url.searchParams.set('scope', 'bot applications.commands');
  url.searchParams.set('permissions', String(BOT_PERMISSION_BITS));
  if (guild !== undefined) {
    url.searchParams.set('guild_id', guild);
    url.searchParams.set('disable_guild_select', 'true');
  }
  return url.href;
}
