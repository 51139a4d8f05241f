import type { Snowflake } from 'discord-api-types/v10';
import { Accounts } from './accounts.ts';
import type { Emoji, Guild, Member, Membership, NewEmoji, NewRole, Role } from './entities.ts';
import { ALL_PERMISSIONS, permissionsInGuild } from './permissions.ts';
import { byAge, type Clock, SnowflakeSequence, snowflake } from './snowflake.ts';
import { WorldChanges } from './world-changes.ts';

interface PopulatedGuild {
  guild: Guild;
  unavailable: boolean;
  /** By user id. The owner is always among them. */
  readonly members: Map<Snowflake, Member>;
  readonly roles: Map<Snowflake, Role>;
  readonly emojis: Map<Snowflake, Emoji>;
}

class Guilds {
  readonly #guilds = new Map<Snowflake, PopulatedGuild>();

  add(guild: Guild, owner: Member): void {
    const members = new Map([[owner.userId, owner]]);
    this.#guilds.set(guild.id, { guild, unavailable: false, members, roles: new Map(), emojis: new Map() });
  }

  update(guildId: Snowflake, change: Partial<Pick<Guild, 'name' | 'icon'>>): void {
    const populated = this.#populated(guildId);
    populated.guild = { ...populated.guild, ...change };
  }

  setUnavailable(guildId: Snowflake, unavailable: boolean): void {
    this.#populated(guildId).unavailable = unavailable;
  }

  isUnavailable(guildId: Snowflake): boolean {
    return this.#guilds.get(guildId)?.unavailable ?? false;
  }

  remove(guildId: Snowflake): void {
    this.#populated(guildId);
    this.#guilds.delete(guildId);
  }

  putMember(guildId: Snowflake, member: Member): void {
    this.#populated(guildId).members.set(member.userId, member);
  }

  /** @throws {Error} when the user is not in the guild */
  member(guildId: Snowflake, userId: Snowflake): Member {
    const member = this.#populated(guildId).members.get(userId);
    if (!member) throw new Error(`User ${userId} is not a member of guild ${guildId}`);
    return member;
  }

  findMember(guildId: Snowflake, userId: Snowflake): Member | null {
    return this.#guilds.get(guildId)?.members.get(userId) ?? null;
  }

  members(guildId: Snowflake): Member[] {
    return [...this.#populated(guildId).members.values()];
  }

  removeMember(guildId: Snowflake, userId: Snowflake): void {
    const { guild, members } = this.#populated(guildId);
    if (guild.ownerId === userId) throw new Error(`User ${userId} owns guild ${guildId} and cannot leave it`);
    members.delete(userId);
  }

  putRole(guildId: Snowflake, role: Role): void {
    this.#populated(guildId).roles.set(role.id, role);
  }

  /** @throws {Error} when the guild has no such shared role */
  role(guildId: Snowflake, roleId: Snowflake): Role {
    const role = this.#populated(guildId).roles.get(roleId);
    if (!role) throw new Error(`Guild ${guildId} has no role ${roleId}`);
    return role;
  }

  roles(guildId: Snowflake): Role[] {
    return [...this.#populated(guildId).roles.values()];
  }

  putEmoji(guildId: Snowflake, emoji: Emoji): void {
    this.#populated(guildId).emojis.set(emoji.id, emoji);
  }

  emojis(guildId: Snowflake): Emoji[] {
    return [...this.#populated(guildId).emojis.values()];
  }

  /** Deletes a role, and removes it from all members. */
  removeRole(guildId: Snowflake, roleId: Snowflake): void {
    const { members, roles } = this.#populated(guildId);
    roles.delete(roleId);
    for (const member of members.values()) {
      const roleIds = member.roleIds.filter((id) => id !== roleId);
      if (roleIds.length < member.roleIds.length) members.set(member.userId, { ...member, roleIds });
    }
  }

  /** Returns a member's permissions in the guild: all of them for the owner and administrators. */
  permissionsOf(guildId: Snowflake, member: Member): bigint {
    const populated = this.#populated(guildId);
    return permissionsInGuild(populated.guild, member.userId, granted(populated, member));
  }

  guild(guildId: Snowflake): Guild {
    return this.#populated(guildId).guild;
  }

  find(guildId: Snowflake): Guild | null {
    return this.#guilds.get(guildId)?.guild ?? null;
  }

  ids(): Snowflake[] {
    return [...this.#guilds.keys()];
  }

  /** Returns the user's guilds, oldest first, with the user's current permissions. */
  membershipsOf(userId: Snowflake): Membership[] {
    const memberships: Membership[] = [];
    for (const populated of this.#guilds.values()) {
      const { guild, members } = populated;
      const member = members.get(userId);
      if (member === undefined) continue;
      const owner = guild.ownerId === userId;
      memberships.push({
        guild,
        owner,
        permissions: owner ? ALL_PERMISSIONS : granted(populated, member),
        memberCount: members.size,
      });
    }
    return memberships.sort((a, b) => byAge(a.guild.id, b.guild.id));
  }

  #populated(guildId: Snowflake): PopulatedGuild {
    const populated = this.#guilds.get(guildId);
    if (!populated) throw new Error(`Unknown guild ${guildId}`);
    return populated;
  }
}

function granted({ roles }: PopulatedGuild, { permissions, roleIds }: Member): bigint {
  return roleIds.reduce((all, id) => all | (roles.get(id)?.permissions ?? 0n), permissions);
}

/** The members of guilds and their roles: the part of a world without channels and bots. */
export class Members extends Accounts {
  /** @internal */
  readonly guilds = new Guilds();
  /** @internal */
  readonly changes = new WorldChanges();
  /** @internal */
  readonly clock: Clock;
  /** @internal */
  readonly ids: SnowflakeSequence;

  constructor(clock: Clock) {
    super(clock);
    this.clock = clock;
    this.ids = new SnowflakeSequence(clock);
  }

  /** Adds a member with the permissions that result from roles and overwrites, as a bit set. */
  addMember(guildId: Snowflake, userId: Snowflake, { permissions }: { readonly permissions: bigint }): void {
    this.user(userId);
    if (this.guilds.findMember(guildId, userId)) this.setPermissions(guildId, userId, permissions);
    else this.join(guildId, userId, permissions);
  }

  /** Replaces the permissions of a member's own role. An owner always has all permissions. */
  setPermissions(guildId: Snowflake, userId: Snowflake, permissions: bigint): void {
    const member = { ...this.guilds.member(guildId, userId), permissions };
    this.guilds.putMember(guildId, member);
    this.changes.publish({ kind: 'role-updated', guildId, role: this.#ownRole(member), member });
  }

  /** Sets a member's name in one guild; `null` removes it. */
  setNickname(guildId: Snowflake, userId: Snowflake, nick: string | null): void {
    this.#updateMember(guildId, { ...this.guilds.member(guildId, userId), nick });
  }

  /** Sets the time until which a member is timed out, in milliseconds since the Unix epoch; `null` ends the timeout. */
  setTimeout(guildId: Snowflake, userId: Snowflake, until: number | null): void {
    this.#updateMember(guildId, { ...this.guilds.member(guildId, userId), timedOutUntil: until });
  }

  /**
   * Replaces the roles that a member shares with others.
   *
   * @throws {Error} when the guild has no such role
   */
  setMemberRoles(guildId: Snowflake, userId: Snowflake, roleIds: readonly Snowflake[]): void {
    for (const id of roleIds) this.guilds.role(guildId, id);
    this.#updateMember(guildId, { ...this.guilds.member(guildId, userId), roleIds: [...new Set(roleIds)] });
  }

  /** @throws {Error} when the user owns the guild */
  removeMember(guildId: Snowflake, userId: Snowflake): void {
    const member = this.guilds.findMember(guildId, userId);
    this.guilds.removeMember(guildId, userId);
    if (!member) return;
    this.changes.publish({ kind: 'member-removed', guildId, member });
    this.changes.publish({ kind: 'role-deleted', guildId, role: this.#ownRole(member), member });
  }

  /** Adds a role that members can share; under a known id it replaces the role. */
  addRole({ guildId, ...role }: NewRole): void {
    const others = this.guilds.roles(guildId);
    const isKnown = others.some(({ id }) => id === role.id);
    const above = Math.max(1, ...others.map(({ position }) => position)) + 1;
    const plain = { color: 0, permissions: 0n, hoist: false, mentionable: false, managed: false };
    const added: Role = { ...plain, position: above, ...role, id: snowflake(role.id) };
    this.guilds.putRole(guildId, added);
    this.changes.publish({ kind: isKnown ? 'role-updated' : 'role-created', guildId, role: added, member: null });
  }

  /**
   * Deletes a role, and removes it from all members.
   *
   * @throws {Error} when the guild has no such role
   */
  deleteRole(guildId: Snowflake, roleId: Snowflake): void {
    const role = this.guilds.role(guildId, roleId);
    this.guilds.removeRole(guildId, roleId);
    this.changes.publish({ kind: 'role-deleted', guildId, role, member: null });
  }

  /** Adds a custom emoji; under a known id it replaces the emoji. Bots are not notified. */
  addEmoji({ guildId, ...emoji }: NewEmoji): void {
    this.guilds.putEmoji(guildId, { animated: false, available: true, ...emoji, id: snowflake(emoji.id) });
  }

  /** In the order of addition. */
  emojisOf(guildId: Snowflake): Emoji[] {
    return this.guilds.emojis(guildId);
  }

  /** Returns the roles of a guild without `@everyone`: each member's own, and those that members share. */
  rolesOf(guildId: Snowflake): Role[] {
    return [...this.guilds.members(guildId).map((member) => this.#ownRole(member)), ...this.guilds.roles(guildId)];
  }

  /** In the order of joining, including bots. */
  membersOf(guildId: Snowflake): Member[] {
    return this.guilds.members(guildId);
  }

  /** Returns the user's guilds, oldest first, with the user's current permissions. */
  membershipsOf(userId: Snowflake): Membership[] {
    return this.guilds.membershipsOf(userId);
  }

  protected join(guildId: Snowflake, userId: Snowflake, permissions: bigint): void {
    const member = this.newMember(userId, permissions);
    this.guilds.putMember(guildId, member);
    this.changes.publish({ kind: 'role-created', guildId, role: this.#ownRole(member), member });
    this.changes.publish({ kind: 'member-added', guildId, member });
  }

  protected newMember(userId: Snowflake, permissions: bigint): Member {
    const roleId = this.ids.next();
    return { userId, permissions, roleId, roleIds: [], nick: null, joinedAt: this.clock(), timedOutUntil: null };
  }

  #updateMember(guildId: Snowflake, member: Member): void {
    this.guilds.putMember(guildId, member);
    this.changes.publish({ kind: 'member-updated', guildId, member });
  }

  /** Returns the member's own role. A bot's role has its name and is managed, as in Discord. */
  #ownRole({ roleId, userId, permissions }: Member): Role {
    const { bot, username } = this.user(userId);
    const name = bot ? username : `of ${userId}`;
    return { id: roleId, name, color: 0, position: 1, permissions, hoist: false, mentionable: false, managed: bot };
  }
}

export function displayName(world: Members, guildId: Snowflake, userId: Snowflake): string {
  const { globalName, username } = world.user(userId);
  return world.guilds.findMember(guildId, userId)?.nick ?? globalName ?? username;
}

/** Returns true if the username, display name or nickname of a member starts with a text, ignoring case. */
export function isNamedLike(world: Members, { userId, nick }: Member, beginning: string): boolean {
  const { username, globalName } = world.user(userId);
  return [username, globalName, nick].some((name) => name?.toLowerCase().startsWith(beginning.toLowerCase()));
}
