import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { DiscordUnavailableError } from './discord-api.ts';
import { createLookupQueue } from './discord-lookups.ts';

const LIMITED = new DiscordUnavailableError('rate-limited', { retryAfterMs: 6_000 });

/** A look-up that Discord rate-limits at first. Its repetition hangs until it is aborted. */
function limitedLookup() {
  let attempts = 0;
  return async (signal: AbortSignal) => {
    attempts += 1;
    if (attempts === 1) throw LIMITED;
    await delay(60_000, undefined, { signal });
  };
}

test('look-ups that wait for a rate limit hold up no others, and end when the queue is closed', async () => {
  const queue = createLookupQueue();
  // Exceeds the number that may run at once.
  const waiting = Promise.allSettled(Array.from({ length: 40 }, () => queue.run('192.0.2.1', limitedLookup())));
  expect(await queue.run('192.0.2.2', async () => 'checked')).toBe('checked');
  queue.close();
  expect(new Set((await waiting).map(({ status }) => status))).toEqual(new Set(['rejected']));
});

test('a look-up that was aborted while it waited leaves its place to the next one', async () => {
  vi.useFakeTimers();
  try {
    const queue = createLookupQueue({ running: 1, waiting: 10, perCaller: 10 });
    // The first look-up ends once the second, which waits, is aborted as well.
    const hanging = (signal: AbortSignal) =>
      new Promise<void>((resolve) => signal.addEventListener('abort', () => setTimeout(resolve, 10)));
    const aborted = Promise.allSettled([1, 2].map(() => queue.run('192.0.2.1', hanging)));
    await vi.advanceTimersByTimeAsync(6_000);
    const begun = vi.fn();
    const last = queue.run('192.0.2.2', async () => begun());
    await vi.advanceTimersByTimeAsync(1_010);
    await aborted;
    expect(begun).toHaveBeenCalled();
    await last;
  } finally {
    vi.useRealTimers();
  }
});

test('look-ups that wait count towards those of their client', async () => {
  const queue = createLookupQueue();
  const waiting = Promise.allSettled(Array.from({ length: 256 }, () => queue.run('192.0.2.1', limitedLookup())));
  await expect(queue.run('192.0.2.1', async () => {})).rejects.toMatchObject({ fault: 'overloaded' });
  queue.close();
  await waiting;
});
