import { formatCursor, parseCursor, type WatchEvent, WatchInput } from '@guild-settings/contract';
import { type TrackedEnvelope, tracked } from '@trpc/server';
import type { FeedEvent } from '../feed/watch.ts';
import { applicationOnly } from '../transport/trpc/procedures.ts';

/** Follows what happens to guilds, for the bot's replicas. The stream ends when its token expires. */
export const watchGuilds = applicationOnly.input(WatchInput).subscription(async ({ ctx, input, signal }) => {
  const resumed = input.lastEventId === undefined ? undefined : parseCursor(input.lastEventId);
  const events = await ctx.services.feed.watch({
    cursor: input.cursor ?? resumed,
    shard: input.shard,
    untilMs: ctx.tokenExpiresAtMs,
    signal: signal ?? new AbortController().signal,
  });
  return trackedEvents(events);
});

type Tracked = TrackedEnvelope<WatchEvent>;

/** Each event with its cursor as id. No generator, for the reason that a watch is none. */
function trackedEvents(events: AsyncIterator<FeedEvent, undefined>): AsyncIterableIterator<Tracked, undefined> {
  return {
    async next() {
      const { done, value } = await events.next();
      return done ? { done, value } : { done: false, value: tracked(formatCursor(value.cursor), value.event) };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
