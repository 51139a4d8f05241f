import { type Acknowledgement, type Cursor, parseCursor, type Watcher } from '@guild-settings/contract';
import { waitUntil } from '@guild-settings/testing';
import type { TestApi } from './api-resource.ts';
import { openWatch, type RawWatch } from './event-stream.ts';

const ALL_GUILDS = [{ id: 0, count: 1 }];

/** A watcher over HTTP, as a bot's process is one. It acknowledges when the test calls for it. */
export interface TestWatcher extends RawWatch {
  readonly watcher: Watcher;
  /** Acknowledges what it has received, or what is given. */
  acknowledge(fields?: Partial<Pick<Acknowledgement, 'cursor' | 'rejected' | 'leaves'>>): Promise<Response>;
}

let ids = 0;

/** Opens the stream of a watcher, and waits until it is live. */
export async function openTestWatcher(
  api: TestApi,
  options: Partial<Watcher> & { cursor?: Cursor } = {},
): Promise<TestWatcher> {
  ids += 1;
  const { cursor: from, ...given } = options;
  const watcher = { id: `watcher-${ids}`, name: `bot-${ids}`, shards: ALL_GUILDS, ...given };
  const watch = await openWatch(api.url, api.tokens.application, {
    watcher: { ...watcher, ...(from && { acknowledged: from }) },
    ...(from && { cursor: from }),
  });
  // The service may stop first.
  watch.ended.catch(() => {});
  await waitUntil(() => watch.events.at(-1)?.type === 'live');
  return {
    ...watch,
    watcher,
    acknowledge({ cursor = parseCursor(watch.ids.at(-1) ?? ''), ...fields } = {}) {
      const { shards, ...identity } = watcher;
      const body = { watcher: identity, shards, cursor, ...fields };
      return api.send('/trpc/guilds.acknowledge', { method: 'POST', token: api.tokens.application, body });
    },
  };
}
