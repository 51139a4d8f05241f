import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DiscordGet } from '../auth/discord-api.ts';
import { DiscordUser } from './bot-api.ts';
import { paced } from './requests.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Sends requests at once and aborts some of them before their turn. */
function sendPaced(requests: number, isAborted: (index: number) => boolean = () => false) {
  let begun = 0;
  const send: DiscordGet = async () => {
    begun += 1;
    throw new Error('not sent');
  };
  const get = paced(send);
  const sent = Array.from({ length: requests }, (_, index) => {
    const signal = isAborted(index) ? AbortSignal.abort() : new AbortController().signal;
    return get({ path: '', endpoint: '', authorization: '', shape: DiscordUser, signal }).catch(() => {});
  });
  return { begun: () => begun, all: Promise.all(sent) };
}

test('twenty requests begin in a second, a few of them together, and the others later', async () => {
  const { begun } = sendPaced(50);
  await vi.advanceTimersByTimeAsync(0);
  const counts = [begun()];
  for (let second = 0; second < 3; second += 1) {
    await vi.advanceTimersByTimeAsync(999);
    counts.push(begun());
    await vi.advanceTimersByTimeAsync(1);
  }
  expect(counts).toEqual([4, 20, 40, 50]);
});

test('a request that was aborted while it waited takes no turn', async () => {
  const { begun, all } = sendPaced(50, (index) => index >= 4 && index < 46);
  await vi.advanceTimersByTimeAsync(200);
  expect(begun()).toBe(8);
  await all;
});
