import type {
  APIApplicationCommandOptionChoice,
  APIModalInteractionResponseCallbackData,
  InteractionResponseType,
  Snowflake,
} from 'discord-api-types/v10';
import type { Message } from '../world/entities.ts';
import type { Interaction } from '../world/messages.ts';
import { byAge } from '../world/snowflake.ts';
import type { World } from '../world/world.ts';
import type { WorldChange } from '../world/world-changes.ts';

export interface MessageWait {
  /** 30,000 unless given: for messages that never arrive, on a machine that may be slow. */
  readonly timeoutMs?: number;
  /** Only messages newer than this one match; without it, existing ones match as well. */
  readonly after?: Snowflake;
}

const DEFAULT_TIMEOUT_MS = 30_000;

/** Reads the messages of users and bots in their current state; deleted messages are marked. */
export class MessageReader {
  readonly #world: World;
  readonly #closing: AbortSignal;

  /** @internal */
  constructor(world: World, closing: AbortSignal) {
    this.#world = world;
    this.#closing = closing;
  }

  /** The last 20,000 messages, oldest first. */
  all(): Message[] {
    return this.#world.messages.all();
  }

  /** The messages of one channel, oldest first, ephemeral ones included. */
  in(channelId: Snowflake): Message[] {
    return this.all().filter((message) => message.channelId === channelId);
  }

  /** Counts the messages created with this nonce, without de-duplicated requests. */
  deliveriesOf(nonce: string): number {
    return this.#world.messages.deliveriesOf(nonce);
  }

  /**
   * Calls a listener for every message that is posted, edited or deleted from now on.
   *
   * @returns a function that removes the listener
   */
  watch(listener: (message: Message) => void): () => void {
    return this.#world.changes.subscribe((change) => {
      if ('message' in change) listener(change.message);
    });
  }

  /**
   * Resolves with the first matching message, existing or future.
   *
   * @throws {Error} when none does in time, or the simulator closes
   */
  waitFor(fits: (message: Message) => boolean, { after, ...wait }: MessageWait = {}): Promise<Message> {
    const matches = (message: Message): boolean =>
      (after === undefined || byAge(message.id, after) > 0) && fits(message);
    return this.#wait('message', wait, (change) => {
      if (change === undefined) return this.all().find(matches);
      return 'message' in change && matches(change.message) ? change.message : undefined;
    });
  }

  /**
   * Resolves with an interaction when its bot has responded.
   *
   * @internal
   */
  waitForAnswer(id: Snowflake, wait: Pick<MessageWait, 'timeoutMs'>): Promise<Interaction> {
    return this.#wait('response', wait, () => {
      const interaction = this.#world.interactions.find(id);
      return interaction?.responseType == null ? undefined : interaction;
    });
  }

  #wait<Found>(
    what: string,
    { timeoutMs = DEFAULT_TIMEOUT_MS }: Pick<MessageWait, 'timeoutMs'>,
    find: (change?: WorldChange) => Found | undefined,
  ): Promise<Found> {
    return new Promise<Found>((resolve, reject) => {
      const present = find();
      if (present !== undefined) return resolve(present);
      const end = (): void => {
        clearTimeout(timer);
        unsubscribe();
        this.#closing.removeEventListener('abort', abandon);
      };
      const fail = (reason: string): void => {
        end();
        reject(new Error(reason));
      };
      const abandon = (): void => fail(`The simulator was closed before the ${what} came`);
      const timer = setTimeout(() => fail(`No ${what} that fits within ${timeoutMs} ms`), timeoutMs);
      const unsubscribe = this.#world.changes.subscribe((change) => {
        try {
          const found = find(change);
          if (found === undefined) return;
          end();
          resolve(found);
        } catch (error) {
          end();
          reject(error);
        }
      });
      this.#closing.addEventListener('abort', abandon);
      if (this.#closing.aborted) abandon();
    });
  }
}

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
   * Resolves with the choices that the bot offers for the typed text.
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
   * @throws {Error} when none opens in time, or the simulator closes
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
