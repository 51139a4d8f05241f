import { formatCursor, parseCursor, WatchEvent, WatchInput } from '@guild-settings/contract';
import type { FeedEvent } from '../feed/watch.ts';
import { applicationOnly } from './caller-access.ts';
import { type IdentifiedEvent, operation } from './operation.ts';

/** Follows the changes of guilds, for replicas. The stream ends when the caller's token expires. */
export const watchGuilds = operation({
  type: 'subscription',
  access: applicationOnly,
  input: WatchInput,
  output: WatchEvent,
  async handle({ caller, input, call }) {
    const resumed = input.lastEventId === undefined ? undefined : parseCursor(input.lastEventId);
    const signal = call.signal ?? new AbortController().signal;
    const cursor = input.cursor ?? resumed;
    if (input.watcher !== undefined) {
      const { acknowledged, ...watcher } = input.watcher;
      const disconnect = await call.services.arrivals.connect(watcher, acknowledged);
      if (signal.aborted) disconnect();
      else signal.addEventListener('abort', disconnect, { once: true });
    }
    const events = await call.services.feed.watch({
      cursor,
      shard: input.shard,
      accepts: input.accepts,
      untilMs: caller.tokenExpiresAtMs,
      signal,
    });
    return withIds(events);
  },
});

/** Adds each event's cursor as its id. Not a generator: see `Watch`, which must not retain the previous page. */
function withIds(
  events: AsyncIterator<FeedEvent, undefined>,
): AsyncIterableIterator<IdentifiedEvent<WatchEvent>, undefined> {
  return {
    async next() {
      const { done, value } = await events.next();
      return done ? { done, value } : { done: false, value: { id: formatCursor(value.cursor), event: value.event } };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
