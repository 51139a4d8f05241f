import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LogTurns } from './log-turns.ts';

/** Blocks the event loop, as a query does. */
function block(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('queries that are short begin at once, however many', () => {
  const turns = new LogTurns();
  expect([1, 2, 3, 4, 5].map(() => turns.take('1'))).toEqual(Array(5).fill(undefined));
});

test('of short queries many are made in each iteration, also when some had to wait', async () => {
  const turns = new LogTurns();
  turns.take('0');
  block(6);
  const immediates = Array.from({ length: 200 }, () => turns.take('1'));
  expect(immediates.every((turn) => turn !== undefined)).toBe(true);
  let iterations = 0;
  let isDone = false;
  const counted = (async () => {
    for (; !isDone; iterations += 1) await setImmediate();
  })();
  await Promise.all(immediates);
  isDone = true;
  await counted;
  expect(iterations).toBeLessThan(100);
});

test('of long queries one is made in each iteration of the event loop, of each guild in turn', async () => {
  const turns = new LogTurns();
  const order: string[] = [];
  let iterations = 0;
  let isDone = false;
  const counted = (async () => {
    for (; !isDone; iterations += 1) await setImmediate();
  })();
  const walk = async (guildId: string, queries: number) => {
    for (let query = 0; query < queries; query += 1) {
      const turn = turns.take(guildId);
      if (turn !== undefined) await turn;
      order.push(guildId);
      block(6);
    }
  };
  await Promise.all([walk('1', 3), walk('1', 3), walk('1', 3), walk('2', 3)]);
  isDone = true;
  await counted;
  expect(order).toHaveLength(12);
  expect(iterations).toBeGreaterThanOrEqual(11);
  // The walk that began last does not wait for those of the other guild.
  expect(order.slice(0, 6).filter((id) => id === '2').length).toBeGreaterThanOrEqual(2);
});

test('slow queries halve the lines of the next one, to a whole number, and quick ones that use them double these', () => {
  const turns = new LogTurns();
  const after = (lines: number, ms: number) => {
    turns.noteQuery({ lines, ms });
    return turns.lines;
  };
  expect(turns.lines).toBe(16);
  expect([after(16, 1), after(32, 1), after(64, 1), after(51, 1), after(51, 9), after(26, 9), after(7, 9)]).toEqual([
    32, 64, 128, 128, 26, 13, 4,
  ]);
});
