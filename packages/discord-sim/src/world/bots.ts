import {
  type APIApplicationCommand,
  type APIGuildApplicationCommandPermissions,
  ApplicationCommandType,
  GatewayIntentBits,
  type Snowflake,
} from 'discord-api-types/v10';
import type { Bot } from './entities.ts';

/** Maximum overwrites for one command, or for all commands of an application. */
export const MAX_OVERWRITES = 100;

class CommandPermissions {
  readonly #set = new Map<string, APIGuildApplicationCommandPermissions>();

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

export class Bots {
  readonly #bots = new Map<Snowflake, Bot>();

  add(bot: Bot): void {
    this.#bots.set(bot.applicationId, bot);
  }

  /**
   * Returns the bot of an application, by default the only bot.
   *
   * @throws {Error} when there is none, or several and none was named
   */
  bot(applicationId?: Snowflake): Bot {
    const [only, ...others] = this.#bots.values();
    const found = applicationId === undefined ? only : this.#bots.get(applicationId);
    if (!found) throw new Error(`Application ${applicationId ?? ''} has no bot`);
    if (applicationId === undefined && others.length > 0) throw new Error('Several bots: name one by applicationId');
    return found;
  }

  findByToken(token: string): Bot | null {
    for (const bot of this.#bots.values()) if (bot.token === token) return bot;
    return null;
  }

  all(): Bot[] {
    return [...this.#bots.values()];
  }
}

export interface CommandScope {
  readonly applicationId: Snowflake;
  /** `null`: the commands of all guilds. */
  readonly guildId: Snowflake | null;
}

export class Commands {
  readonly #commands = new Map<string, readonly APIApplicationCommand[]>();
  readonly permissions = new CommandPermissions();

  /** Replaces all commands of a scope. Removed and renamed commands lose their overwrites in guilds. */
  replace({ applicationId, guildId }: CommandScope, commands: readonly APIApplicationCommand[]): void {
    for (const { id, name } of this.list(applicationId, guildId)) {
      if (!commands.some((command) => command.id === id && command.name === name)) this.permissions.removeCommand(id);
    }
    this.#commands.set(scopeKey(applicationId, guildId), commands);
  }

  list(applicationId: Snowflake, guildId: Snowflake | null): readonly APIApplicationCommand[] {
    return this.#commands.get(scopeKey(applicationId, guildId)) ?? [];
  }

  /** Returns the chat command of this name in a guild: the guild's own, or else the global one. */
  find(applicationId: Snowflake, guildId: Snowflake, name: string): APIApplicationCommand | null {
    const visible = [...this.list(applicationId, guildId), ...this.list(applicationId, null)];
    return (
      visible.find((command) => command.type === ApplicationCommandType.ChatInput && command.name === name) ?? null
    );
  }
}

function scopeKey(applicationId: Snowflake, guildId: Snowflake | null): string {
  return `${applicationId} ${guildId ?? 'everywhere'}`;
}

/**
 * The intents that must be enabled for an application before its bot may use them.
 *
 * @see https://discord.com/developers/docs/events/gateway#privileged-intents
 */
export const PRIVILEGED_INTENTS =
  GatewayIntentBits.GuildMembers | GatewayIntentBits.GuildPresences | GatewayIntentBits.MessageContent;
