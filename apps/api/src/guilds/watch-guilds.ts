import { formatCursor, parseCursor, WatchInput } from '@guild-settings/contract';
import { tracked } from '@trpc/server';
import { applicationOnly } from '../trpc.ts';

/** Follows what happens to guilds, for the bot's replicas. The stream ends when its token expires. */
export const watchGuilds = applicationOnly.input(WatchInput).subscription(async function* ({ ctx, input, signal }) {
  const resumed = input.lastEventId === undefined ? undefined : parseCursor(input.lastEventId);
  const events = ctx.services.feed.watch({
    cursor: input.cursor ?? resumed,
    shard: input.shard,
    until: ctx.tokenExpiresAt,
    signal: signal ?? new AbortController().signal,
  });
  for await (const { cursor, event } of events) yield tracked(formatCursor(cursor), event);
});
