/** Default number of replies that may be prepared, queued or in flight in one channel. */
const MAX_PENDING_REPLIES = 20;

/** Replies of one channel that discord.js has queued at a time. */
const MAX_SENDING = 4;

export interface ReplySlot {
  /** Calls `send` when all but a few of the earlier replies are sent or have failed. Rejects as `send` does. */
  send(send: () => Promise<void>): Promise<void>;
  /** Frees the slot. Must be called, whether a reply was sent or not. */
  release(): void;
}

interface ChannelQueue {
  pending: number;
  /** The last replies that discord.js received, the oldest first. They never reject. */
  sending: Promise<void>[];
}

/**
 * Queues the replies of each channel and passes a few at a time to discord.js. Its queue for a channel has no priorities, so
 * another message for the channel, such as a reminder, waits for these few and not for all replies.
 */
export class ChannelReplies {
  readonly #channels = new Map<string, ChannelQueue>();
  readonly #maxPending: number;

  constructor(maxPending = MAX_PENDING_REPLIES) {
    this.#maxPending = maxPending;
  }

  reserve(channelId: string): ReplySlot | undefined {
    const queue = this.#channels.get(channelId) ?? { pending: 0, sending: [] };
    if (queue.pending >= this.#maxPending) return undefined;
    this.#channels.set(channelId, queue);
    queue.pending += 1;
    return {
      send(send) {
        const earlier = queue.sending.length >= MAX_SENDING ? queue.sending.shift() : undefined;
        const sent = (earlier ?? Promise.resolve()).then(send);
        queue.sending.push(sent.catch(() => {}));
        return sent;
      },
      release: () => {
        queue.pending -= 1;
        if (queue.pending === 0) this.#channels.delete(channelId);
      },
    };
  }
}
