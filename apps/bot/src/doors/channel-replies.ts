/** Replies that may be prepared, queued or under way in one channel, unless told otherwise. */
const MAX_PENDING_REPLIES = 20;

/** Replies of one channel that Discord's client has at a time. */
const MAX_SENDING = 4;

/** The place of one reply in its channel. */
export interface ReplySlot {
  /** Sends when all but a few of the replies before it have been sent or have failed. Rejects with what `send` rejects with. */
  send(send: () => Promise<void>): Promise<void>;
  /** Gives the place back. Has to be called, whether something was sent or not. */
  release(): void;
}

interface ChannelQueue {
  pending: number;
  /** The ends of the last replies that were handed over, the oldest first. */
  sending: Promise<void>[];
}

/**
 * The replies of each channel, handed to Discord's client a few at a time. Its queue for a channel is in order and has no
 * priorities, so whatever else is to be posted there, such as a reminder, waits for these few and not for all of them.
 */
export class ChannelReplies {
  readonly #channels = new Map<string, ChannelQueue>();
  readonly #maxPending: number;

  /** @param maxPending replies that may be prepared, queued or under way in one channel */
  constructor(maxPending = MAX_PENDING_REPLIES) {
    this.#maxPending = maxPending;
  }

  /** Takes a place in a channel; `undefined`: there are too many replies in it already. */
  reserve(channelId: string): ReplySlot | undefined {
    const queue = this.#channels.get(channelId) ?? { pending: 0, sending: [] };
    if (queue.pending >= this.#maxPending) return undefined;
    this.#channels.set(channelId, queue);
    queue.pending += 1;
    return {
      send(send) {
        const place = queue.sending.length >= MAX_SENDING ? queue.sending.shift() : undefined;
        const sent = (place ?? Promise.resolve()).then(send);
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
