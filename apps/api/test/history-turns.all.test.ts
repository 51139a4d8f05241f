import { processWorld } from '@guild-settings/testing/api-programs';
import { IDS } from '@guild-settings/testing/people';
import { expect, test } from 'vitest';

const { guild, otherGuild } = IDS;

/** Of one person at once: the maximum. */
const READS = 3;

test('many reads of a long history at once leave room for other requests', { timeout: 300_000 }, async () => {
  await using api = await processWorld({ CHANGE_LOG_BYTES_PER_DAY: '0', RATE_LIMIT_PER_MINUTE: '0' });
  const { manager, owner, admin, otherManager } = api.tokens;
  const send = async (path: string, token: string, request: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${api.url}${path}`, { ...request, headers });
    await response.arrayBuffer();
    return response.status;
  };
  for (let change = 0; change < 200; change += 1) {
    // The longest lines that a log can have.
    const enabledFeatures = Array.from({ length: 60 }, (_, index) => `${'\u{1F600}'.repeat(60)}${index}.${change % 9}`);
    expect(
      await send(`/guilds/${guild}`, manager, { method: 'PATCH', body: JSON.stringify({ enabledFeatures }) }),
    ).toBe(200);
  }
  const readers = [manager, owner, admin, otherManager].flatMap((token) => Array.from({ length: READS }, () => token));
  const reads = readers.map((token, index) => send(`/guilds/${guild}?at=${index + 1}`, token));
  let isRead = false;
  const all = Promise.all(reads).finally(() => {
    isRead = true;
  });
  let others = 0;
  for (; !isRead; others += 1) expect(await send(`/guilds/${otherGuild}`, owner)).toBe(200);
  expect(new Set(await all)).toEqual(new Set([200]));
  // Each read is three or more queries. Without turns, all of them would make one between two other requests.
  expect(others).toBeGreaterThan(1.5 * readers.length);
});
