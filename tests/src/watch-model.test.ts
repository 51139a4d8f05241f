import { createGuildSettingsClient, hasProblem } from '@guild-settings/client';
import { LIMITS, type PresenceReport } from '@guild-settings/contract';
import { tokenOf } from '@guild-settings/discord-sim/testing/world';
import { printedSeed, repetitions, waitUntil } from '@guild-settings/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryConnection } from './testing/client-calls.ts';
import { startRestartableApi } from './testing/restartable-api.ts';
import { TestReplica } from './testing/test-replica.ts';

const FAULTS = repetitions(25, 500);
const CHANGES = 20 * FAULTS;
const WATCHERS = 4;
const DAY = 86_400_000;
const token = tokenOf('application');

/** Ids of guilds that are spread over the shards. */
const IDS = Array.from({ length: 12 }, (_, index) => String(300_000_000_000_000_000n + (BigInt(index) << 22n)));

const guild = fc.constantFrom(...IDS);
const watcher = fc.nat({ max: WATCHERS - 1 });

const action = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ type: fc.constant('write'), guilds: fc.array(guild, { minLength: 5, maxLength: 60 }) }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('drop watcher'), watcher }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('restart api') }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('slow reader'), watcher }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('restore an older copy') }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('prune the log') }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('erase a guild'), guild }) },
);

test(`${CHANGES} random changes and ${FAULTS} faults: every watcher that resumes equals the store, and revisions only grew`, async () => {
  const seed = printedSeed('watch-model');
  const actions = fc.sample(action, { seed, numRuns: 10 * FAULTS });
  await using api = await startRestartableApi();
  const client = createGuildSettingsClient({ url: api.url, token });
  const options = (index: number) => ({ url: api.url, token, ...(index === 3 && { shard: { id: 0, count: 2 } }) });
  const replicas = Array.from({ length: WATCHERS }, (_, index) => {
    const replica = new TestReplica();
    replica.start(options(index));
    return replica;
  });
  let changes = 0;
  let faults = 0;
  let restore: (() => Promise<void>) | undefined;

  const write = async (guilds: readonly string[]) => {
    for (let at = 0; at < guilds.length; at += LIMITS.batchCalls) {
      await Promise.all(
        guilds.slice(at, at + LIMITS.batchCalls).map(async (id) => {
          changes += 1;
          const patch = { guild: id, announcement_channel: `change ${changes}` };
          await retryConnection(() => client.guilds.update.mutate(patch)).catch((error: unknown) => {
            // A guild that the bot has left is 404 until it is erased.
            if (!hasProblem(error, 'bot-absent')) throw error;
          });
        }),
      );
    }
  };
  const report = (presence: PresenceReport) => retryConnection(() => client.presence.report.mutate(presence));
  const restart = async (whileStopped?: () => Promise<void>) => {
    await api.stop();
    await whileStopped?.();
    await api.start();
  };

  const quietAndEqual = async () => {
    await api.retained();
    const fresh = new TestReplica();
    fresh.start({ url: api.url, token });
    await waitUntil(() => fresh.count('live') === 1, { message: 'a fresh watcher' });
    await fresh.stop();
    const revision = fresh.cursor?.revision ?? 0;
    for (const [index, replica] of replicas.entries()) {
      const expected = [...fresh.records].filter(([id]) => index !== 3 || (BigInt(id) >> 22n) % 2n === 0n);
      const isEqual = () =>
        JSON.stringify([...replica.records].sort()) === JSON.stringify(expected.sort()) &&
        (index === 3 || (replica.cursor?.revision ?? -1) >= revision);
      await waitUntil(isEqual, { message: `watcher ${index} to equal the store at ${revision}, seed ${seed}` });
      expect(replica.violations, `seed ${seed}`).toEqual([]);
    }
  };

  for (const [step, one] of actions.entries()) {
    if (changes >= CHANGES && faults >= FAULTS) break;
    if (one.type !== 'write') faults += 1;
    switch (one.type) {
      case 'write':
        await write('guilds' in one ? one.guilds : []);
        break;
      case 'drop watcher':
      case 'slow reader': {
        const index = 'watcher' in one ? one.watcher : 0;
        await replicas[index]?.stop();
        // Changes continue meanwhile; a slow reader misses more of them.
        await write(one.type === 'slow reader' ? IDS : IDS.slice(0, 3));
        replicas[index]?.start(options(index));
        break;
      }
      case 'restart api':
        await restart();
        break;
      case 'restore an older copy':
        await restart(async () => {
          await restore?.();
          restore = await api.backUp();
        });
        await write(IDS.slice(0, step % 12));
        break;
      case 'prune the log':
        api.clock.aheadMs += 91 * DAY;
        await restart();
        break;
      case 'erase a guild':
        await report({ type: 'left', guild: 'guild' in one ? one.guild : (IDS[0] ?? '') });
        api.clock.aheadMs += 31 * DAY;
        await restart();
        break;
    }
    if (step % 25 === 24) await quietAndEqual();
  }
  await quietAndEqual();
  expect(changes).toBeGreaterThanOrEqual(CHANGES);
  expect(faults).toBeGreaterThanOrEqual(FAULTS);
  console.log(`${changes} changes, ${faults} faults, ${replicas.map((one) => one.count('reset')).join('/')} resets`);
  for (const replica of replicas) await replica.stop();
});
