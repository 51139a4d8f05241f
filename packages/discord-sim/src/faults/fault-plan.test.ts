import { expect, test } from 'vitest';
import { FaultPlan } from './fault-plan.ts';

const HANG = { kind: 'hang' } as const;
const DOWN = { kind: 'status', status: 503 } as const;

test('a fault without a path hits every call', () => {
  const plan = new FaultPlan();
  plan.set(HANG);
  expect(plan.take('/users/@me')).toBe(HANG);
  expect(plan.take('/anything')).toBe(HANG);
});

test('a fault with a path hits what begins with it', () => {
  const plan = new FaultPlan();
  plan.set(HANG, { path: '/users/@me' });
  expect(plan.take('/users/@me/guilds')).toBe(HANG);
  expect(plan.take('/oauth2/@me')).toBeNull();
});

test('the longest matching path decides, whichever was set first', () => {
  const plan = new FaultPlan();
  plan.set(HANG, { path: '/users/@me/guilds' });
  plan.set(DOWN);
  expect(plan.take('/users/@me/guilds')).toBe(HANG);
  expect(plan.take('/users/@me')).toBe(DOWN);
});

test('a fault is gone after its times', () => {
  const plan = new FaultPlan();
  plan.set(DOWN, { times: 2 });
  expect([plan.take('/a'), plan.take('/b'), plan.take('/c')]).toStrictEqual([DOWN, DOWN, null]);
});

test('setting null takes back the fault of that path alone', () => {
  const plan = new FaultPlan();
  plan.set(HANG, { path: '/a' });
  plan.set(DOWN, { path: '/b' });
  plan.set(null, { path: '/a' });
  expect([plan.take('/a'), plan.take('/b')]).toStrictEqual([null, DOWN]);
});

test('clearing takes back every fault', () => {
  const plan = new FaultPlan();
  plan.set(HANG, { path: '/a' });
  plan.set(DOWN);
  plan.clear();
  expect(plan.take('/a')).toBeNull();
});
