import { PermissionFlagsBits, type Snowflake } from 'discord-api-types/v10';
import type { Guild, Membership } from './entities.ts';
import { byAge } from './snowflake.ts';

const ALL_PERMISSIONS = Object.values(PermissionFlagsBits).reduce((all, bit) => all | bit, 0n);

interface PopulatedGuild {
  guild: Guild;
  /** User id to effective permissions. The owner is always among them. */
  readonly members: Map<Snowflake, bigint>;
}

/** The guilds and who is in them. */
export class Guilds {
  readonly #guilds = new Map<Snowflake, PopulatedGuild>();

  /** Adds the guild with its owner as first member; under a known id it replaces the guild, members and all. */
  add(guild: Guild): void {
    this.#guilds.set(guild.id, { guild, members: new Map([[guild.ownerId, ALL_PERMISSIONS]]) });
  }

  update(guildId: Snowflake, change: Partial<Pick<Guild, 'name' | 'icon'>>): void {
    const populated = this.#populated(guildId);
    populated.guild = { ...populated.guild, ...change };
  }

  remove(guildId: Snowflake): void {
    this.#populated(guildId);
    this.#guilds.delete(guildId);
  }

  addMember(guildId: Snowflake, userId: Snowflake, permissions: bigint): void {
    this.#populated(guildId).members.set(userId, permissions);
  }

  setPermissions(guildId: Snowflake, userId: Snowflake, permissions: bigint): void {
    const { members } = this.#populated(guildId);
    if (!members.has(userId)) throw new Error(`User ${userId} is not a member of guild ${guildId}`);
    members.set(userId, permissions);
  }

  removeMember(guildId: Snowflake, userId: Snowflake): void {
    const { guild, members } = this.#populated(guildId);
    if (guild.ownerId === userId) throw new Error(`User ${userId} owns guild ${guildId} and cannot leave it`);
    members.delete(userId);
  }

  /** The user's guilds, oldest first, with what the user may do in each as of now. */
  membershipsOf(userId: Snowflake): Membership[] {
    const memberships: Membership[] = [];
    for (const { guild, members } of this.#guilds.values()) {
      const permissions = members.get(userId);
      if (permissions === undefined) continue;
      const owner = guild.ownerId === userId;
      memberships.push({
        guild,
        owner,
        permissions: owner ? ALL_PERMISSIONS : permissions,
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
