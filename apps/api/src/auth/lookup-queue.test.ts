import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DiscordUnavailableError } from './discord-errors.ts';
import { createLookupQueue } from './lookup-queue.ts';

const LIMITED = new DiscordUnavailableError('rate-limited', { retryAfterMs: 6_000 });

/** A look-up that Discord limits at first. After the wait it would last until it is aborted. */
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
  // More than may run at once.
  const waiting = Promise.allSettled(Array.from({ length: 40 }, () => queue.run('192.0.2.1', limitedLookup())));
  expect(await queue.run('192.0.2.2', async () => 'checked')).toBe('checked');
  queue.close();
  expect(new Set((await waiting).map(({ status }) => status))).toEqual(new Set(['rejected']));
});

test('look-ups that wait count towards those of their client', async () => {
  const queue = createLookupQueue();
  const waiting = Promise.allSettled(Array.from({ length: 256 }, () => queue.run('192.0.2.1', limitedLookup())));
  await expect(queue.run('192.0.2.1', async () => {})).rejects.toMatchObject({ fault: 'overloaded' });
  queue.close();
  await waiting;
});
