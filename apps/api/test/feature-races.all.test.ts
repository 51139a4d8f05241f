import type { Guild, HistoryEntry } from '@guild-settings/contract';
import { printedSeed, repetitions, sentUntilAvailable, startTestPostgres } from '@guild-settings/testing';
import { startApi, type TestApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { migratedDatabase } from '@guild-settings/testing/stores';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';

const { guild } = IDS;
const MANAGERS = 20;
const SWITCHES = repetitions(4, 200);

const server = await startTestPostgres();
afterAll(() => server[Symbol.asyncDispose]());

test(`${MANAGERS * SWITCHES} simultaneous switches of different features all hold on SQLite`, async () => {
  await using api = await startApi({ LOG_LEVEL: 'error' });
  await race([api]);
});

test(`${MANAGERS * SWITCHES} simultaneous switches of different features by two processes all hold on PostgreSQL`, async () => {
  const env = { DATABASE_URL: await migratedDatabase(server), LOG_LEVEL: 'error' };
  await using one = await startApi(env);
  await using other = await startApi(env);
  await race([one, other]);
});

/** A use of a switch: by PUT, POST or DELETE, of one of a manager's three features. */
const anySwitch = fc.record({ method: fc.constantFrom('PUT', 'POST', 'DELETE'), feature: fc.nat({ max: 2 }) });

/**
 * Each manager switches their own features, one after another, concurrently with the others. A set is the model of
 * each.
 */
async function race(apis: readonly TestApi[]): Promise<void> {
  const seed = printedSeed('feature-races');
  const uses = fc.array(anySwitch, { minLength: SWITCHES, maxLength: SWITCHES });
  const models = await Promise.all(
    fc.sample(uses, { seed, numRuns: MANAGERS }).map(async (mine, manager) => {
      const model = new Set<string>();
      for (const [turn, { method, feature: number }] of mine.entries()) {
        const api = apis[(manager + turn) % apis.length] as TestApi;
        const feature = `${manager}/${number}`;
        const path = `/guilds/${guild}/features/${encodeURIComponent(feature)}`;
        const answer = await sentUntilAvailable(() => api.send(path, { method, token: api.tokens.manager }));
        expect(answer.status).toBe(200);
        if (method === 'DELETE') model.delete(feature);
        else model.add(feature);
        const { enabledFeatures } = (await answer.json()) as Guild;
        const own = enabledFeatures.filter((name) => name.startsWith(`${manager}/`));
        expect(own, `manager ${manager}, turn ${turn} of seed ${seed}`).toEqual([...model]);
      }
      return model;
    }),
  );
  const expected = models.flatMap((model) => [...model]).sort();
  const [api] = apis as [TestApi];
  for (const one of apis) {
    const { enabledFeatures } = (await (await one.get(guild)).json()) as Guild;
    expect([...enabledFeatures].sort(), `seed ${seed}`).toEqual(expected);
  }
  await expectOneFeatureEach(api);
}

/** Every change of the history adds or removes one feature of the list in the previous change. */
async function expectOneFeatureEach(api: TestApi): Promise<void> {
  let list: unknown = [];
  for (const { changes } of await historyOf(api)) {
    const { from, to } = changes.enabledFeatures as { from: string[]; to: string[] };
    expect(from).toEqual(list);
    expect(from.filter((name) => !to.includes(name)).length + to.filter((name) => !from.includes(name)).length).toBe(1);
    list = to;
  }
}

/** Reads the whole history, oldest change first. */
async function historyOf(api: TestApi): Promise<HistoryEntry[]> {
  const all: HistoryEntry[] = [];
  let next: string | undefined = `/guilds/${guild}/history?limit=100`;
  while (next !== undefined) {
    const page = await api.send(next, { token: api.tokens.manager });
    all.push(...((await page.json()) as { entries: HistoryEntry[] }).entries);
    next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
  }
  return all.reverse();
}
