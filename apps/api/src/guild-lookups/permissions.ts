/**
 * The permission bits that decide who can see a channel, write in it, and assign roles.
 * @see https://docs.discord.com/developers/topics/permissions#permissions-bitwise-permission-flags
 */
export const BITS = {
  ADMINISTRATOR: 1n << 3n,
  VIEW_CHANNEL: 1n << 10n,
  SEND_MESSAGES: 1n << 11n,
  READ_MESSAGE_HISTORY: 1n << 16n,
  CONNECT: 1n << 20n,
  MANAGE_ROLES: 1n << 28n,
  MANAGE_THREADS: 1n << 34n,
  SEND_MESSAGES_IN_THREADS: 1n << 38n,
} as const;

/** All permissions, which the owner and administrators have in all channels. */
const ALL_PERMISSIONS = ~0n;

interface PermissionGuild {
  readonly id: string;
  readonly ownerId: string;
  /** The roles by id. The id of the role `@everyone` is that of the guild. */
  readonly roles: ReadonlyMap<string, { readonly permissions: bigint }>;
}

export interface PermissionMember {
  readonly userId: string;
  readonly roleIds: readonly string[];
  readonly timeoutUntilMs: number | null;
}

export interface PermissionOverwrite {
  readonly id: string;
  readonly kind: 'role' | 'member';
  readonly allow: bigint;
  readonly deny: bigint;
}

function basePermissions(guild: PermissionGuild, member: PermissionMember): bigint {
  if (member.userId === guild.ownerId) return ALL_PERMISSIONS;
  const bits = [guild.id, ...member.roleIds].reduce(
    (all, roleId) => all | (guild.roles.get(roleId)?.permissions ?? 0n),
    0n,
  );
  return has(bits, BITS.ADMINISTRATOR) ? ALL_PERMISSIONS : bits;
}

/**
 * Applies the overwrites of a channel to the base permissions: first that of `@everyone`, then those of all roles
 * together, then that of the member. Within each step, allow takes precedence over deny.
 * @see https://docs.discord.com/developers/topics/permissions#permission-overwrites
 */
export function overwrittenPermissions(
  guild: PermissionGuild,
  member: PermissionMember,
  overwrites: readonly PermissionOverwrite[],
): bigint {
  const base = basePermissions(guild, member);
  if (base === ALL_PERMISSIONS) return base;
  const roleIds = new Set(member.roleIds);
  const steps: readonly ((overwrite: PermissionOverwrite) => boolean)[] = [
    ({ id, kind }) => kind === 'role' && id === guild.id,
    ({ id, kind }) => kind === 'role' && roleIds.has(id),
    ({ id, kind }) => kind === 'member' && id === member.userId,
  ];
  return steps.reduce((bits, isOfStep) => {
    const ofStep = overwrites.filter(isOfStep);
    const deny = ofStep.reduce((all, overwrite) => all | overwrite.deny, 0n);
    const allow = ofStep.reduce((all, overwrite) => all | overwrite.allow, 0n);
    return (bits & ~deny) | allow;
  }, base);
}

/**
 * Returns the permissions of a member in a channel. Without View Channel there are none. During a timeout, only viewing
 * and reading are allowed; the owner and administrators cannot have a timeout.
 * @see https://docs.discord.com/developers/topics/permissions#implicit-permissions
 * @see https://docs.discord.com/developers/topics/permissions#permissions-for-timed-out-members
 */
export function channelPermissions(
  guild: PermissionGuild,
  member: PermissionMember,
  { overwrites, nowMs }: { readonly overwrites: readonly PermissionOverwrite[]; readonly nowMs: number },
): bigint {
  const bits = overwrittenPermissions(guild, member, overwrites);
  return has(bits, BITS.VIEW_CHANNEL) ? withTimeout(bits, member, nowMs) : 0n;
}

export function guildPermissions(guild: PermissionGuild, member: PermissionMember, nowMs: number): bigint {
  return withTimeout(basePermissions(guild, member), member, nowMs);
}

function withTimeout(bits: bigint, { timeoutUntilMs }: PermissionMember, nowMs: number): bigint {
  const isTimedOut = bits !== ALL_PERMISSIONS && timeoutUntilMs !== null && nowMs < timeoutUntilMs;
  return isTimedOut ? bits & (BITS.VIEW_CHANNEL | BITS.READ_MESSAGE_HISTORY) : bits;
}

export function has(permissions: bigint, wanted: bigint): boolean {
  return (permissions & wanted) === wanted;
}
