import type {
  APIApplicationCommandOptionChoice,
  APIModalInteractionResponseCallbackData,
  InteractionResponseType,
  Snowflake,
} from 'discord-api-types/v10';
import type { Message } from '../world/entities.ts';
import type { World } from '../world/world.ts';
import type { MessageReader, MessageWait } from './message-reader.ts';

/** A used command, button or modal, with the bot's responses. */
export class SlashHandle {
  readonly #world: World;
  readonly #messages: MessageReader;
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

  /**
   * Resolves with the choices that the bot offers for what was typed.
   *
   * @throws {Error} when there are none in time, or the simulator closes
   */
  async suggestions(
    options: Pick<MessageWait, 'timeoutMs'> = {},
  ): Promise<readonly APIApplicationCommandOptionChoice[]> {
    const { choices } = await this.#messages.waitForAnswer(this.id, options);
    if (choices === undefined) throw new Error(`The response to interaction ${this.id} offers no choices`);
    return choices;
  }

  /**
   * Resolves with the modal that the bot opens.
   *
   * @throws {Error} when it opens none in time, or the simulator closes
   */
  async modal(options: Pick<MessageWait, 'timeoutMs'> = {}): Promise<APIModalInteractionResponseCallbackData> {
    const { modal } = await this.#messages.waitForAnswer(this.id, options);
    if (modal === undefined) throw new Error(`The response to interaction ${this.id} opens no modal`);
    return modal;
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
