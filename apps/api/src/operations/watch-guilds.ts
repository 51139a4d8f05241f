import { parseCursor, WatchEvent, WatchInput } from '@guild-settings/contract';
import type { IdentifiedEvent } from '../feed/feed-event.ts';
import { applicationOnly } from './caller-access.ts';
import { operation } from './operation.ts';

/** Follows the changes of guilds, for replicas. The stream ends when the caller's token expires. */
export const watchGuilds = operation({
  type: 'subscription',
  access: applicationOnly,
  input: WatchInput,
  output: WatchEvent,
  async handle({ caller, input, call }): Promise<AsyncIterableIterator<IdentifiedEvent<WatchEvent>, undefined>> {
    const resumed = input.lastEventId === undefined ? undefined : parseCursor(input.lastEventId);
    const signal = call.signal ?? new AbortController().signal;
    const cursor = input.cursor ?? resumed;
    if (input.watcher !== undefined) {
      const { acknowledged, run, ...watcher } = input.watcher;
      const disconnect = await call.services.arrivals.connect(watcher, { run, acknowledged, signal });
      if (signal.aborted) disconnect();
      else signal.addEventListener('abort', disconnect, { once: true });
    }
    const watch = call.services.feed.watch({
      cursor,
      shard: input.shard,
      accepts: input.accepts,
      untilMs: caller.tokenExpiresAtMs,
      isRegistered: input.watcher !== undefined,
      signal,
    });
    // Notices are of a watch of one guild alone.
    return watch as Promise<AsyncIterableIterator<IdentifiedEvent<WatchEvent>, undefined>>;
  },
});
