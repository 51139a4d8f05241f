import { setImmediate } from 'node:timers/promises';
import { printedSeed, repetitions, sentUntilAvailable, startTestPostgres } from '@guild-settings/testing';
import { revisionIn, startApi, type TestApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { migratedDatabase } from '@guild-settings/testing/stores';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';

const RACES = repetitions(8, 1_000);
/** The races whose order is fixed: in one of them the undo is first, in the other the PATCH. */
const IN_TURN = 2;
const { guild } = IDS;

const server = await startTestPostgres();
afterAll(() => server[Symbol.asyncDispose]());

test(`an undo overwrites no newer value in ${RACES} races with a PATCH of the same field on SQLite`, async () => {
  await using api = await startApi({ LOG_LEVEL: 'error' });
  await race(api, api);
});

test(`an undo overwrites no newer value in ${RACES} races with a PATCH of the same field by another process on PostgreSQL`, async () => {
  const env = { DATABASE_URL: await migratedDatabase(server), LOG_LEVEL: 'error' };
  await using one = await startApi(env);
  await using other = await startApi(env);
  await race(one, other);
});

/** Turns of the event loop by which the undo or the PATCH is delayed. */
const delays = fc.record({ undo: fc.nat({ max: 12 }), patch: fc.constantFrom(0, 2, 4, 8, 16, 32, 64, 128, 256) });

async function race(one: TestApi, other: TestApi): Promise<void> {
  const seed = printedSeed('history-races');
  const statuses: Record<number, number> = {};
  for (const [index, delay] of fc.sample(delays, { seed, numRuns: RACES }).entries()) {
    const old = { prefix: `old ${index}`, beta: index % 2 === 0 };
    const changed = await sentUntilAvailable(() => one.patch(guild, old));
    const revision = revisionIn(changed);
    const requests = [
      () => undo(one, revision),
      () => sentUntilAvailable(() => other.patch(guild, { prefix: `new ${index}` })),
    ] as const;
    const [undone, patched] =
      index < IN_TURN
        ? await inTurn(requests, index === 0)
        : await Promise.all([after(delay.undo, requests[0]), after(delay.patch, requests[1])]);
    statuses[undone.status] = (statuses[undone.status] ?? 0) + 1;
    expect([200, 409]).toContain(undone.status);
    expect(patched.status).toBe(200);
    const record = (await (await one.get(guild)).json()) as object;
    expect(record, `race ${index} of seed ${seed}`).toMatchObject({ prefix: `new ${index}` });
  }
  console.log(`outcomes of undos: ${JSON.stringify(statuses)}`);
  expect(Object.keys(statuses)).toEqual(['200', '409']);
}

/** Sends one request after the response to the other, so that each outcome occurs. */
async function inTurn<T>([one, other]: readonly [() => Promise<T>, () => Promise<T>], isOneFirst: boolean) {
  const early = await (isOneFirst ? one : other)();
  const late = await (isOneFirst ? other : one)();
  return isOneFirst ? ([early, late] as const) : ([late, early] as const);
}

function undo(api: TestApi, revision: number): Promise<Response> {
  const sent = { method: 'POST', token: api.tokens.admin };
  return sentUntilAvailable(() => api.send(`/guilds/${guild}/history/${revision}/undo`, sent));
}

async function after<T>(turns: number, work: () => Promise<T>): Promise<T> {
  for (let turn = 0; turn < turns; turn += 1) await setImmediate();
  return work();
}
