import type { APIApplicationCommand, Snowflake } from 'discord-api-types/v10';

/** The commands that applications have registered, for all guilds or for one. */
export class Commands {
  readonly #commands = new Map<string, readonly APIApplicationCommand[]>();

  /** Replaces all commands of one scope; `null` stands for all guilds. */
  replace(applicationId: Snowflake, guildId: Snowflake | null, commands: readonly APIApplicationCommand[]): void {
    this.#commands.set(scopeKey(applicationId, guildId), commands);
  }

  list(applicationId: Snowflake, guildId: Snowflake | null): readonly APIApplicationCommand[] {
    return this.#commands.get(scopeKey(applicationId, guildId)) ?? [];
  }

  /** The command of this name as a guild sees it: its own before the one for all guilds. */
  find(applicationId: Snowflake, guildId: Snowflake, name: string): APIApplicationCommand | null {
    const visible = [...this.list(applicationId, guildId), ...this.list(applicationId, null)];
    return visible.find((command) => command.name === name) ?? null;
  }
}

function scopeKey(applicationId: Snowflake, guildId: Snowflake | null): string {
  return `${applicationId} ${guildId ?? 'everywhere'}`;
}
