import { type APIApplicationCommand, ApplicationCommandType, type Snowflake } from 'discord-api-types/v10';

/** The registered commands of applications, global or of one guild. */
export class Commands {
  readonly #commands = new Map<string, readonly APIApplicationCommand[]>();

  /** Replaces all commands of one scope; `null`: the global commands. */
  replace(applicationId: Snowflake, guildId: Snowflake | null, commands: readonly APIApplicationCommand[]): void {
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
