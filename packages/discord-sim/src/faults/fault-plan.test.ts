import { expect, test } from 'vitest';
import { FaultPlan } from '../faults.ts';

const HANG = { kind: 'hang' } as const;
const DOWN = { kind: 'status', status: 503 } as const;

test('the longest path that a call begins with decides, and a fault without a path hits every other call', () => {
  const plan = new FaultPlan();
  plan.set(HANG, { path: '/users/@me/guilds' });
  expect([plan.take('/users/@me/guilds/1'), plan.take('/users/@me')]).toStrictEqual([HANG, null]);
  plan.set(DOWN);
  expect([plan.take('/users/@me/guilds'), plan.take('/users/@me'), plan.take('/')]).toStrictEqual([HANG, DOWN, DOWN]);
});

test('a fault is gone after its times', () => {
  const plan = new FaultPlan();
  plan.set(DOWN, { times: 2 });
  expect([plan.take('/a'), plan.take('/b'), plan.take('/c')]).toStrictEqual([DOWN, DOWN, null]);
});

test('setting null takes back the fault of that path alone, clearing takes back every fault', () => {
  const plan = new FaultPlan();
  plan.set(HANG, { path: '/a' });
  plan.set(DOWN, { path: '/b' });
  plan.set(null, { path: '/a' });
  expect([plan.take('/a'), plan.take('/b')]).toStrictEqual([null, DOWN]);
  plan.set(DOWN);
  plan.clear();
  expect([plan.take('/a'), plan.take('/b')]).toStrictEqual([null, null]);
});
