import type { InteractionResponseType, Snowflake } from 'discord-api-types/v10';
import type { Message } from '../world/entities.ts';
import type { World } from '../world/world.ts';
import type { MessageReader } from './message-reader.ts';

/** A command or button that somebody has used, and what came of it. */
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

  /** How the bot answered first; `null` while it has not. */
  get answer(): InteractionResponseType | null {
    return this.#world.interactions.find(this.id)?.answer ?? null;
  }

  /** Everything the bot answered, oldest first, with what it says now. */
  messages(): Message[] {
    return this.#messages.all().filter(({ interactionId }) => interactionId === this.id);
  }

  /**
   * The first answer that can be read: the reply, or a deferred one once it is filled in.
   *
   * @throws {Error} when there is none within `timeoutMs` (3,000 when left out), or the simulator closes
   */
  reply({ timeoutMs = 3_000 }: { readonly timeoutMs?: number } = {}): Promise<Message> {
    return this.#messages.waitFor(
      ({ interactionId, loading, deleted }) => interactionId === this.id && !loading && !deleted,
      { timeoutMs },
    );
  }
}
