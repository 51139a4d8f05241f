import { expect, test } from 'vitest';
import { Liveness } from './liveness.ts';

test('settings that never were up to date, and are served while a reset is held, are as old as the hold', () => {
  let now = 5_000;
  const liveness = new Liveness({ liveAt: undefined, clock: () => 1_800_000_000_000 + now, monotonic: () => now });
  expect(liveness.ageMs).toBeNaN();
  now += 60_000;
  liveness.hold();
  const { status } = liveness;
  expect([status, liveness.ageMs]).toEqual([{ state: 'STALE', since: new Date(1_800_000_065_000) }, 0]);
  now += 1_000;
  liveness.hold();
  expect([liveness.status, liveness.ageMs]).toEqual([status, 1_000]);
});
