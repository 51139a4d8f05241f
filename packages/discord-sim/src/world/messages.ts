import type {
  APIApplicationCommandAutocompleteInteraction,
  APIApplicationCommandOptionChoice,
  APIChatInputApplicationCommandInteractionData,
  APIMessageButtonInteractionData,
  APIModalInteractionResponseCallbackData,
  APIModalSubmission,
  InteractionResponseType,
  Locale,
  Snowflake,
} from 'discord-api-types/v10';
import type { Message } from './entities.ts';

const KEPT_MESSAGES = 20_000;
const KEPT_NONCES = 200_000;

/** "The past few minutes" in which a nonce must be unique. */
export const NONCE_WINDOW_MS = 5 * 60_000;

/** The last 20,000 messages, including deleted ones, and the number of deliveries per nonce. */
export class Messages {
  readonly #messages = new Map<Snowflake, Message>();
  /** The newest message by author and nonce. */
  readonly #byNonce = new Map<string, Message>();
  readonly #deliveries = new Map<string, number>();

  add(message: Message): void {
    this.#messages.set(message.id, message);
    dropOldest(this.#messages, KEPT_MESSAGES);
    const { nonce, authorId } = message;
    if (nonce === null) return;
    this.#byNonce.set(`${authorId} ${nonce}`, message);
    this.#deliveries.set(nonce, (this.#deliveries.get(nonce) ?? 0) + 1);
    dropOldest(this.#byNonce, KEPT_NONCES);
    dropOldest(this.#deliveries, KEPT_NONCES);
  }

  replace(message: Message): void {
    if (this.#messages.has(message.id)) this.#messages.set(message.id, message);
  }

  find(id: Snowflake): Message | null {
    return this.#messages.get(id) ?? null;
  }

  /** Returns the author's message with this nonce within the window. */
  findByNonce(authorId: Snowflake, nonce: string, now: number): Message | null {
    const message = this.#byNonce.get(`${authorId} ${nonce}`);
    return message && now - message.createdAt < NONCE_WINDOW_MS ? (this.find(message.id) ?? message) : null;
  }

  /** Counts the messages created with this nonce, without de-duplicated requests. */
  deliveriesOf(nonce: string): number {
    return this.#deliveries.get(nonce) ?? 0;
  }

  /** Oldest first. */
  all(): Message[] {
    return [...this.#messages.values()];
  }
}

function dropOldest<Key>(map: Map<Key, unknown>, kept: number): void {
  if (map.size <= kept) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}

export interface DirectChannel {
  readonly id: Snowflake;
  readonly botId: Snowflake;
  readonly userId: Snowflake;
}

export class DirectMessages {
  readonly #channels = new Map<Snowflake, DirectChannel>();
  readonly #messages: Message[] = [];

  /** Returns the channel of a bot and a user; if there is none, a new one with the id. */
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

const KEPT_INTERACTIONS = 10_000;

export const FIRST_ANSWER_MS = 3_000;
export const INTERACTION_TOKEN_MS = 15 * 60_000;

/** A used command, an option that is being typed, a pressed button, or a submitted modal. */
export type InteractionUse =
  | { readonly kind: 'command'; readonly data: APIChatInputApplicationCommandInteractionData }
  | { readonly kind: 'autocomplete'; readonly data: APIApplicationCommandAutocompleteInteraction['data'] }
  | { readonly kind: 'button'; readonly data: APIMessageButtonInteractionData; readonly messageId: Snowflake }
  | {
      readonly kind: 'modal';
      readonly data: APIModalSubmission;
      readonly messageId: Snowflake | null;
      readonly openedBy: Snowflake;
    };

export interface Interaction {
  readonly id: Snowflake;
  readonly token: string;
  readonly applicationId: Snowflake;
  readonly userId: Snowflake;
  readonly guildId: Snowflake;
  readonly channelId: Snowflake;
  readonly locale: Locale;
  readonly use: InteractionUse;
  readonly createdAt: number;
  /** The kind of the first response; `null` without one. */
  readonly responseType: InteractionResponseType | null;
  /** The message of `@original`, which is the button's message when the response updates it. */
  readonly originalId: Snowflake | null;
  readonly choices?: readonly APIApplicationCommandOptionChoice[];
  readonly modal?: APIModalInteractionResponseCallbackData;
}

/** The last 10,000 interactions. */
export class Interactions {
  readonly #interactions = new Map<Snowflake, Interaction>();

  put(interaction: Interaction): void {
    this.#interactions.set(interaction.id, interaction);
    const [oldest] = this.#interactions.keys();
    if (oldest !== undefined && this.#interactions.size > KEPT_INTERACTIONS) this.#interactions.delete(oldest);
  }

  find(id: Snowflake): Interaction | null {
    return this.#interactions.get(id) ?? null;
  }

  findByToken(applicationId: Snowflake, token: string): Interaction | null {
    for (const interaction of this.#interactions.values()) {
      if (interaction.token === token && interaction.applicationId === applicationId) return interaction;
    }
    return null;
  }
}
