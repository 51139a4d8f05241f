import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Step, withHeartbeats } from './with-heartbeats.ts';

const never = new Promise<never>(() => {});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Reads a stream to its end. Returns the steps yielded so far, each with its second. */
function record(steps: AsyncGenerator<Step<string>, void>): string[] {
  const startedAt = Date.now();
  const received: string[] = [];
  void (async () => {
    for await (const { id, event } of withHeartbeats(steps, '0', { afterMs: 5_000, event: () => 'beat' })) {
      received.push(`${(Date.now() - startedAt) / 1_000} ${event} ${id}`);
    }
    received.push('end');
  })();
  return received;
}

const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1_000));

test('a heartbeat comes every five seconds while the next event waits for whatever it waits for', async () => {
  const received = record(
    (async function* () {
      yield { id: '1', event: 'first' };
      await never;
    })(),
  );
  await vi.advanceTimersByTimeAsync(15_000);
  expect(received).toEqual(['0 first 1', '5 beat 1', '10 beat 1', '15 beat 1']);
});

test('a heartbeat comes five seconds after the last event, with the id of the last step', async () => {
  const received = record(
    (async function* () {
      await seconds(3);
      yield { id: '1', event: 'first' };
      await seconds(4);
      yield { id: '2' };
      await seconds(3);
      yield { id: '3', event: 'second' };
    })(),
  );
  await vi.advanceTimersByTimeAsync(60_000);
  expect(received).toEqual(['3 first 1', '8 beat 2', '10 second 3', 'end']);
  expect(vi.getTimerCount()).toBe(0);
});

test('a stream that fails fails with its error, and has no timer', async () => {
  const steps = { next: () => seconds(7).then(() => Promise.reject(new Error('failed'))) };
  const failing = withHeartbeats<string>(steps, '0', { afterMs: 5_000, event: () => 'beat' });
  const beat = failing.next();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await beat).toEqual({ done: false, value: { id: '0', event: 'beat' } });
  const failed = expect(failing.next()).rejects.toThrow('failed');
  await vi.advanceTimersByTimeAsync(2_000);
  await failed;
  expect(vi.getTimerCount()).toBe(0);
});
