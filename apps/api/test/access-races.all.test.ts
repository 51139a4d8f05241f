import { setImmediate } from 'node:timers/promises';
import { printedSeed, repetitions, sentUntilAvailable, startTestPostgres } from '@guild-settings/testing';
import { type AccessWorld, LET_IN, revisionIn, startAccess, startApi, type TestApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { migratedDatabase } from '@guild-settings/testing/stores';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';

const RACES = repetitions(15, 1_000);
const WRITES = 4;
const { guild } = IDS;
const EDITOR = { subject: `user:${LET_IN.editorByUser}`, level: 'editor' } as const;

const server = await startTestPostgres();
afterAll(() => server[Symbol.asyncDispose]());

test(`no write of an editor commits after the removal of the editor, in ${RACES} races on SQLite`, async () => {
  await using world = await startAccess('none', { LOG_LEVEL: 'error' });
  await race(world, world.api);
});

test(`no write of an editor by another process commits after the removal of the editor, in ${RACES} races on PostgreSQL`, async () => {
  const env = { DATABASE_URL: await migratedDatabase(server), LOG_LEVEL: 'error' };
  await using world = await startAccess('none', env);
  await using other = await startApi({ ...env, DISCORD_API_URL: world.api.discord.apiUrl });
  await race(world, other);
});

const ERASURES = repetitions(8, 300);

test(`an undo beside an erasure brings no erased list back, in ${ERASURES} races on SQLite`, async () => {
  await using world = await startAccess('none', { LOG_LEVEL: 'error' });
  await raceErasure(world, world.api);
});

test(`an undo by another process beside an erasure brings no erased list back, in ${ERASURES} races on PostgreSQL`, async () => {
  const env = { DATABASE_URL: await migratedDatabase(server), LOG_LEVEL: 'error' };
  await using world = await startAccess('none', env);
  await using other = await startApi({ ...env, DISCORD_API_URL: world.api.discord.apiUrl });
  await raceErasure(world, other);
});

async function raceErasure(world: AccessWorld, other: TestApi): Promise<void> {
  const { api } = world;
  for (let race = 0; race < ERASURES; race += 1) {
    await world.setAccess([EDITOR]);
    const revision = revisionOf(await world.setAccess([]));
    const undo = { method: 'POST', token: api.tokens.manager };
    const [erased, undone] = await Promise.all([
      api.send(`/guilds/${guild}`, { method: 'DELETE', token: api.tokens.owner, headers: { 'if-match': '*' } }),
      after(race % 30, () => sentUntilAvailable(() => other.send(`/guilds/${guild}/history/${revision}/undo`, undo))),
    ]);
    expect(erased.status).toBe(204);
    expect([200, 404]).toContain(undone.status);
    const list = await api.send(`/guilds/${guild}/access`, { token: api.tokens.manager });
    expect(await list.json(), `race ${race}`).toEqual({ entries: [] });
  }
}

/** Turns of the event loop by which the removal, and each write, is delayed. */
const delays = fc.record({
  removal: fc.nat({ max: 24 }),
  writes: fc.array(fc.nat({ max: 48 }), { minLength: WRITES, maxLength: WRITES }),
});

async function race(world: AccessWorld, other: TestApi): Promise<void> {
  const seed = printedSeed('access-races');
  const statuses: Record<number, number> = {};
  const { editorByUser: token } = world.tokens;
  const write = (prefix: string) => sentUntilAvailable(() => other.patch(guild, { prefix }, { token }));
  for (const [index, delay] of fc.sample(delays, { seed, numRuns: RACES }).entries()) {
    expect((await world.setAccess([EDITOR])).status).toBe(200);
    expect((await write('early')).status).toBe(200);
    const [removed, ...written] = await Promise.all([
      after(delay.removal, () => world.setAccess([])),
      ...delay.writes.map((turns, at) => after(turns, () => write(`${index} ${at}`))),
    ]);
    expect(removed.status).toBe(200);
    const removedAt = revisionOf(removed);
    for (const response of written) {
      statuses[response.status] = (statuses[response.status] ?? 0) + 1;
      expect([200, 403]).toContain(response.status);
      if (response.status === 200) expect(revisionOf(response), `race ${index} of ${seed}`).toBeLessThan(removedAt);
    }
    // A write that is sent after the removal was acknowledged is refused at once.
    expect((await write('late')).status).toBe(403);
  }
  console.log(`outcomes of writes: ${JSON.stringify(statuses)}`);
}

function revisionOf({ headers }: Response): number {
  return revisionIn({ headers });
}

async function after<T>(turns: number, work: () => Promise<T>): Promise<T> {
  for (let turn = 0; turn < turns; turn += 1) await setImmediate();
  return work();
}
