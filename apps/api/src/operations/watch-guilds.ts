import { parseCursor, type WatchEvent } from '@guild-settings/contract';
import type { Operations } from '@guild-settings/contract/operations';
import type { Events, Handler } from './handler.ts';

export const watchGuilds: Handler<Operations['guilds']['watch']> = async ({ caller, input, call }) => {
  const resumed = input.lastEventId === undefined ? undefined : parseCursor(input.lastEventId);
  const signal = call.signal ?? new AbortController().signal;
  const cursor = input.cursor ?? resumed;
  if (input.watcher !== undefined) {
    const { acknowledged, run, ...watcher } = input.watcher;
    const disconnect = await call.services.arrivals.connect(watcher, { run, acknowledged, signal });
    if (signal.aborted) disconnect();
    else signal.addEventListener('abort', disconnect, { once: true });
  }
  const watch = await call.services.feed.watch({
    cursor,
    shard: input.shard,
    accepts: input.accepts,
    untilMs: caller.tokenExpiresAtMs,
    isRegistered: input.watcher !== undefined,
    signal,
  });
  // Only a watch of one guild receives notices.
  return { body: watch as Events<WatchEvent> };
};
