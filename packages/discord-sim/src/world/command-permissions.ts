import type { APIGuildApplicationCommandPermissions, Snowflake } from 'discord-api-types/v10';

/** The most overwrites for one command, or for all commands of an application. */
export const MAX_OVERWRITES = 100;

/** The command permissions of guilds, under the id of a command, or of an application for all of its commands. */
export class CommandPermissions {
  readonly #set = new Map<string, APIGuildApplicationCommandPermissions>();

  /** Replaces what a guild has set for a command; an empty list resets it. */
  put(set: APIGuildApplicationCommandPermissions): void {
    const key = keyOf(set.guild_id, set.id);
    if (set.permissions.length === 0) this.#set.delete(key);
    else this.#set.set(key, set);
  }

  find(guildId: Snowflake, id: Snowflake): APIGuildApplicationCommandPermissions | null {
    return this.#set.get(keyOf(guildId, id)) ?? null;
  }

  list(guildId: Snowflake, applicationId: Snowflake): APIGuildApplicationCommandPermissions[] {
    return this.#all().filter((set) => set.guild_id === guildId && set.application_id === applicationId);
  }

  removeCommand(id: Snowflake): void {
    for (const set of this.#all()) if (set.id === id) this.#set.delete(keyOf(set.guild_id, id));
  }

  removeGuild(guildId: Snowflake): void {
    for (const set of this.#all()) if (set.guild_id === guildId) this.#set.delete(keyOf(guildId, set.id));
  }

  #all(): APIGuildApplicationCommandPermissions[] {
    return [...this.#set.values()];
  }
}

function keyOf(guildId: Snowflake, id: Snowflake): string {
  return `${guildId} ${id}`;
}
