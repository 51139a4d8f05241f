/**
 * The permission bits with which a member may manage a guild's settings.
 * @see https://docs.discord.com/developers/topics/permissions#permissions-bitwise-permission-flags
 */
export const PERMISSIONS = {
  ADMINISTRATOR: 1n << 3n,
  MANAGE_GUILD: 1n << 5n,
} as const;

/**
 * Whether a member may read and change a guild's settings: the owner may, and members with Manage Guild or Administrator.
 * @param permissions the member's permissions as a bit set; never a Number, which loses bits above 2^53
 */
export function mayManageGuild({ owner, permissions }: { owner: boolean; permissions: bigint }): boolean {
  return owner || (permissions & (PERMISSIONS.ADMINISTRATOR | PERMISSIONS.MANAGE_GUILD)) !== 0n;
}
