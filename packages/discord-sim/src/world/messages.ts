import type { Snowflake } from 'discord-api-types/v10';
import type { Message } from './entities.ts';

const KEPT_MESSAGES = 20_000;
const KEPT_NONCES = 200_000;

/** "The past few minutes" in which a nonce must be unique. */
export const NONCE_WINDOW_MS = 5 * 60_000;

/** The last 20,000 messages, deleted ones included, and how often each nonce was delivered. */
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

  /** Returns the author's message of this nonce within the window. */
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
