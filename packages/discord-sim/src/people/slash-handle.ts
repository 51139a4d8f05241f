import type { InteractionResponseType, Snowflake } from 'discord-api-types/v10';
import type { Message } from '../world/entities.ts';
import type { World } from '../world/world.ts';
import type { MessageReader, MessageWait } from './message-reader.ts';

/** A used command or button, with the bot's responses. */
export class SlashHandle {
  readonly #world: World;
  readonly #messages: MessageReader;
  /** The interaction's id. */
  readonly id: Snowflake;
  readonly channelId: Snowflake;

  /** @internal */
  constructor(world: World, messages: MessageReader, { id, channelId }: Pick<SlashHandle, 'id' | 'channelId'>) {
    this.#world = world;
    this.#messages = messages;
    this.id = id;
    this.channelId = channelId;
  }

  /** The kind of the bot's first response; `null` without one. */
  get responseType(): InteractionResponseType | null {
    return this.#world.interactions.find(this.id)?.responseType ?? null;
  }

  /** The bot's responses in their current state, oldest first. */
  messages(): Message[] {
    return this.#messages.all().filter(({ interactionId }) => interactionId === this.id);
  }

  /**
   * Resolves with the first visible response: the reply, or a deferred one once it is filled in.
   *
   * @throws {Error} when there is none in time, or the simulator closes
   */
  reply(options: Pick<MessageWait, 'timeoutMs'> = {}): Promise<Message> {
    return this.#messages.waitFor(
      ({ interactionId, loading, deleted }) => interactionId === this.id && !loading && !deleted,
      options,
    );
  }
}
