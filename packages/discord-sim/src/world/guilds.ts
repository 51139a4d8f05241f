import type { Snowflake } from 'discord-api-types/v10';
import type { Guild, Member, Membership } from './entities.ts';
import { ALL_PERMISSIONS } from './permissions.ts';
import { byAge } from './snowflake.ts';

interface PopulatedGuild {
  guild: Guild;
  unavailable: boolean;
  /** By user id. The owner is always among them. */
  readonly members: Map<Snowflake, Member>;
}

/** The guilds and their members. */
export class Guilds {
  readonly #guilds = new Map<Snowflake, PopulatedGuild>();

  /** Adds a guild with its owner as first member; replaces a guild of the same id and its members. */
  add(guild: Guild, owner: Member): void {
    this.#guilds.set(guild.id, { guild, unavailable: false, members: new Map([[owner.userId, owner]]) });
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

  /** Adds or replaces a member. */
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

  /** Returns the members in the order they joined. */
  members(guildId: Snowflake): Member[] {
    return [...this.#populated(guildId).members.values()];
  }

  removeMember(guildId: Snowflake, userId: Snowflake): void {
    const { guild, members } = this.#populated(guildId);
    if (guild.ownerId === userId) throw new Error(`User ${userId} owns guild ${guildId} and cannot leave it`);
    members.delete(userId);
  }

  guild(guildId: Snowflake): Guild {
    return this.#populated(guildId).guild;
  }

  find(guildId: Snowflake): Guild | null {
    return this.#guilds.get(guildId)?.guild ?? null;
  }

  /** Returns the ids of all guilds in the order in which they were added. */
  ids(): Snowflake[] {
    return [...this.#guilds.keys()];
  }

  /** Returns the user's guilds, oldest first, with the user's current permissions. */
  membershipsOf(userId: Snowflake): Membership[] {
    const memberships: Membership[] = [];
    for (const { guild, members } of this.#guilds.values()) {
      const member = members.get(userId);
      if (member === undefined) continue;
      const owner = guild.ownerId === userId;
      memberships.push({
        guild,
        owner,
        permissions: owner ? ALL_PERMISSIONS : member.permissions,
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
