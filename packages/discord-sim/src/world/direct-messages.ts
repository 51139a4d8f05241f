import type { Snowflake } from 'discord-api-types/v10';
import type { Message } from './entities.ts';

export interface DirectChannel {
  readonly id: Snowflake;
  readonly botId: Snowflake;
  readonly userId: Snowflake;
}

/** The messages that bots send to users directly. */
export class DirectMessages {
  readonly #channels = new Map<Snowflake, DirectChannel>();
  readonly #messages: Message[] = [];

  /** Returns the channel of a bot and a user; a new one with the id, where there is none. */
  open(botId: Snowflake, userId: Snowflake, newId: () => Snowflake): DirectChannel {
    const known = [...this.#channels.values()].find((one) => one.botId === botId && one.userId === userId);
    const channel = known ?? { id: newId(), botId, userId };
    this.#channels.set(channel.id, channel);
    return channel;
  }

  find(id: Snowflake): DirectChannel | null {
    return this.#channels.get(id) ?? null;
  }

  add(message: Message): void {
    this.#messages.push(message);
  }

  to(userId: Snowflake): Message[] {
    return this.#messages.filter(({ channelId }) => this.find(channelId)?.userId === userId);
  }
}
