import { steppedClock, waitUntil } from '@guild-settings/testing';
import { type ProcessWorld, processWorld } from '@guild-settings/testing/api-programs';
import { IDS } from '@guild-settings/testing/people';
import { openWatch, type RawWatch } from '@guild-settings/testing/streams';
import { describe, expect, test } from 'vitest';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WATCHERS = 20;

const STEPS: readonly (readonly [string, number])[] = [
  ['an hour back', -HOUR],
  ['30 days ahead', 30 * DAY],
  ...(process.env.THOROUGH
    ? ([
        ['an hour ahead', HOUR],
        ['30 days back', -30 * DAY],
      ] as const)
    : []),
];

const guild = `/guilds/${IDS.guild}`;

/** Concurrent, because each waits some seconds for the timers of a running process. */
describe.concurrent('with the wall clock of a live process stepped', () => {
  test.each(STEPS)('%s, permissions, bookmarks and the processor are as before', async (_step, offsetMs) => {
    using clock = steppedClock();
    await using api = await processWorld({ NODE_OPTIONS: clock.nodeArguments.join(' '), AUTH_CACHE_TTL: '2' });
    const manager = { authorization: `Bearer ${api.tokens.manager}`, 'content-type': 'application/json' };
    const change = () => fetch(`${api.url}${guild}`, { method: 'PATCH', headers: manager, body: '{"beta":true}' });
    const watches = await Promise.all(
      Array.from({ length: WATCHERS }, () => openWatch(api.url, api.tokens.application)),
    );
    await waitUntil(() => watches.every((watch) => watch.events.some(({ type }) => type === 'live')));
    expect((await change()).status).toBe(200);

    clock.step(offsetMs, api.pid);
    const busyBefore = await processorSeconds(api);
    api.discord.world.setPermissions(IDS.guild, IDS.manager, 0n);
    const demotedAt = performance.now();
    while ((await change()).status !== 403) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await waitUntil(() => watches.every(hasBookmark));
    expect(watches.every((watch) => watch.response.ok)).toBe(true);
    const share = ((await processorSeconds(api)) - busyBefore) / ((performance.now() - demotedAt) / 1_000);
    expect(share).toBeLessThan(0.2);
    for (const watch of watches) watch.close();
  });
});

function hasBookmark({ events }: RawWatch): boolean {
  return events.at(-1)?.type === 'bookmark';
}

async function processorSeconds({ url }: ProcessWorld): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]);
}
