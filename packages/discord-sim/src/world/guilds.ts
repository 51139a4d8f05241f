import type { Snowflake } from 'discord-api-types/v10';
import type { Guild, Member, Membership, Role } from './entities.ts';
import { ALL_PERMISSIONS, permissionsInGuild } from './permissions.ts';
import { byAge } from './snowflake.ts';

interface PopulatedGuild {
  guild: Guild;
  unavailable: boolean;
  /** By user id. The owner is always among them. */
  readonly members: Map<Snowflake, Member>;
  readonly roles: Map<Snowflake, Role>;
}

export class Guilds {
  readonly #guilds = new Map<Snowflake, PopulatedGuild>();

  /** Adds a guild with its owner as first member; replaces a guild of the same id and its members. */
  add(guild: Guild, owner: Member): void {
    const members = new Map([[owner.userId, owner]]);
    this.#guilds.set(guild.id, { guild, unavailable: false, members, roles: new Map() });
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

  /** @throws {Error} when the guild has no such role that members share */
  role(guildId: Snowflake, roleId: Snowflake): Role {
    const role = this.#populated(guildId).roles.get(roleId);
    if (!role) throw new Error(`Guild ${guildId} has no role ${roleId}`);
    return role;
  }

  roles(guildId: Snowflake): Role[] {
    return [...this.#populated(guildId).roles.values()];
  }

  /** Deletes a role, and takes it from all members. */
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
