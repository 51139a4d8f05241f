import type { Snowflake } from 'discord-api-types/v10';
import type { Channel } from './entities.ts';

export class Channels {
  readonly #channels = new Map<Snowflake, Channel>();

  put(channel: Channel): void {
    this.#channels.set(channel.id, channel);
  }

  find(id: Snowflake): Channel | null {
    return this.#channels.get(id) ?? null;
  }

  /** @throws {Error} for an unknown channel */
  channel(id: Snowflake): Channel {
    const channel = this.find(id);
    if (!channel) throw new Error(`Unknown channel ${id}`);
    return channel;
  }

  of(guildId: Snowflake): Channel[] {
    return [...this.#channels.values()].filter((channel) => channel.guildId === guildId);
  }

  childrenOf(parentId: Snowflake): Channel[] {
    return [...this.#channels.values()].filter((channel) => channel.parentId === parentId);
  }

  remove(id: Snowflake): void {
    this.#channels.delete(id);
  }
}
