import { startTestPostgres } from '@guild-settings/testing';
import {
  A,
  B,
  CHANGE,
  increment,
  NEVER_SEEN,
  nothing,
  prefix,
  presence,
  pruneAll,
  REFUSAL,
  type StoreResource,
  storesOn,
  storeTest,
} from '@guild-settings/testing/stores';
import { afterAll, describe, expect } from 'vitest';

const server = await startTestPostgres();
afterAll(() => server[Symbol.asyncDispose]());

for (const [name, open] of storesOn(server)) describeStore(name, open);

function describeStore(name: string, open: () => Promise<StoreResource>): void {
  const test = storeTest(open);

  describe(`${name} store`, () => {
    test('returns null for a guild that was never written', async ({ resource }) => {
      expect(await resource.store.read(NEVER_SEEN)).toBeNull();
    });

    test('returns what was written, to the last character', async ({ store }) => {
      const settings = {
        prefix: `'";--👍`,
        announcement_channel: 'ü',
        beta: true,
        language: 'ja' as const,
        enabledFeatures: ['b', 'a', '\u2028'],
      };
      const logged = { day: 20_000, bytes: 5_000_000_000 };
      const access = [{ subject: 'user:80351110224678912', level: 'viewer' as const }];
      const next = { name: 'नाम', icon: 'abc', settings, access, presence: 'present' as const, leftAt: null, logged };
      await store.write({ kind: 'put', guildIds: [A], next });
      const epochs = { record: await store.epochOf(1), access: '' };
      const position = { id: A, revision: 1, accessRevision: 0, updatedAt: CHANGE.at, epochs };
      expect(await store.read(A)).toEqual({ ...next, ...position });
    });

    test('applies a command to what is stored at that moment', async ({ store }) => {
      await store.write(prefix([A], '1'));
      const { guilds } = await store.write({ kind: 'echo', guildIds: [A, B] });
      expect(guilds.map((guild) => guild?.settings.announcement_channel)).toEqual([
        `${A} 1 1`,
        `${B} undefined undefined`,
      ]);
    });

    test('assigns each write a revision of its own, without gaps', async ({ store }) => {
      expect(await store.write(prefix([A, B], '1'))).toMatchObject({ written: 2, revision: 2 });
      expect(await store.write(nothing([A]))).toMatchObject({ written: 0, revision: 2 });
      expect(await store.write(prefix([B], '2'))).toMatchObject({ written: 1, revision: 3 });
      const revisions = await Promise.all([A, B].map(async (id) => (await store.read(id))?.revision));
      expect(revisions).toEqual([1, 3]);
    });

    test('writes nothing of a command that is refused for a guild, and rejects with the error', async ({ store }) => {
      const write = store.write({ kind: 'refuse', guildIds: [A, B], guildId: B, value: '1' });
      await expect(write).rejects.toBe(REFUSAL);
      expect(await store.read(A)).toBeNull();
      expect(await store.write(prefix([A], '2'))).toMatchObject({ revision: 1 });
    });

    test('writes several commands in one transaction, in order; a refused one affects no other', async ({ store }) => {
      const outcomes = await store.writeAll([
        prefix([A], '1'),
        { kind: 'refuse', guildIds: [B], guildId: B, value: '2' },
        { kind: 'append', guildIds: [A], text: '3' },
        nothing([B]),
      ]);
      expect(outcomes).toMatchObject([
        { result: { written: 1, revision: 1, changes: [{ after: { prefix: '1' } }] } },
        { refusal: REFUSAL },
        { result: { written: 1, revision: 2, changes: [{ after: { prefix: '13' } }] } },
        { result: { written: 0, revision: 2, changes: [] } },
      ]);
      expect(await store.read(A)).toMatchObject({ revision: 2, settings: { prefix: '13' } });
      expect(await store.read(B)).toBeNull();
    });

    test('applies each of several simultaneous commands to what those before it wrote; a refused one does not affect the others', async ({
      store,
    }) => {
      const results = await Promise.allSettled([
        store.write(prefix([A], '1')),
        store.write({ kind: 'refuse', guildIds: [B, A], guildId: A, where: '1', value: '2' }),
        store.write({ kind: 'append', guildIds: [A], text: '3' }),
        store.write(nothing([B])),
      ]);
      expect(results).toMatchObject([
        { value: { written: 1, revision: 1, guilds: [{ settings: { prefix: '1' } }] } },
        { reason: REFUSAL },
        { value: { written: 1, revision: 2, guilds: [{ settings: { prefix: '13' } }] } },
        { value: { written: 0, revision: 2, guilds: [null] } },
      ]);
      expect(await store.read(A)).toMatchObject({ revision: 2, settings: { prefix: '13' } });
      expect(await store.read(B)).toBeNull();
    });

    test('reads the right guild for each of many simultaneous requests', async ({ store }) => {
      await store.write(presence([A, B], 'present'));
      const asked = Array.from({ length: 300 }, (_, index) => [B, NEVER_SEEN, A][index % 3] ?? A);
      const read = await Promise.all(asked.map((id) => store.read(id)));
      const revisions = new Map([
        [A, 1],
        [B, 2],
      ]);
      expect(read.map((guild) => guild?.revision)).toEqual(asked.map((id) => revisions.get(id)));
    });

    test('reads a state that is no older than the request, also beside other requests', async ({ store }) => {
      const asking = Array.from({ length: 20 }, async (_, index) => {
        const { revision } = await store.write(prefix([A], `${index}`));
        void store.read(A);
        return ((await store.read(A))?.revision ?? 0) - revision;
      });
      expect(Math.min(...(await Promise.all(asking)))).toBeGreaterThanOrEqual(0);
    });

    test('loses no concurrent write', async ({ store }) => {
      await Promise.all(Array.from({ length: 50 }, () => store.write(increment([A]))));
      expect(await store.read(A)).toMatchObject({ revision: 50, settings: { prefix: '50' } });
    });

    test('keeps data and revisions when it is reopened, and cursors can be resumed', async ({ resource }) => {
      const { epoch } = await resource.store.readFeed(0, 1);
      await resource.store.write(prefix([A], '1'));
      const again = await resource.reopen();
      expect(await again.canResume({ epoch, revision: 1 })).toBe(true);
      expect(await again.read(A)).toMatchObject({ revision: 1, settings: { prefix: '1' } });
      expect(await again.write(prefix([A], '2'))).toMatchObject({ revision: 2 });
    });

    test('names the epoch in which a revision was made, also after it is reopened', async ({ resource }) => {
      const { guilds } = await resource.store.write(prefix([A], '1'));
      const made = guilds[0]?.epochs.record;
      expect([made, (await resource.store.read(A))?.epochs.record]).toEqual([
        expect.stringMatching(/^[0-9a-z]{10}$/),
        made,
      ]);
      const again = await resource.reopen();
      await again.write(prefix([B], '2'));
      expect([(await again.read(A))?.epochs.record, await again.epochOf(1)]).toEqual([made, made]);
      expect((await again.read(B))?.epochs.record).toBe(await again.epochOf(2));
    });

    test('has an epoch of its own', async () => {
      await using one = await open();
      await using other = await open();
      const [{ epoch }, elsewhere] = await Promise.all([one.store.readFeed(0, 1), other.store.readFeed(0, 1)]);
      expect(epoch).toMatch(/^[0-9a-f-]{36}$/);
      expect(epoch).not.toBe(elsewhere.epoch);
    });

    test("lists a shard's guilds that the bot has not left", async ({ store }) => {
      const shardOf = (id: string) => ({ id: Number((BigInt(id) >> 22n) % 2n), count: 2 });
      await store.write(presence([A], 'present'));
      await store.write(presence([NEVER_SEEN], 'left', 5));
      expect(await store.guildsNotLeft(shardOf(A))).toEqual([A]);
      expect(await store.guildsNotLeft({ id: 1 - shardOf(A).id, count: 2 })).toEqual([]);
      expect(await store.guildsNotLeft(shardOf(NEVER_SEEN))).not.toContain(NEVER_SEEN);
    });

    test('returns the shards that have reported, each once, with the time of its newest report', async ({ store }) => {
      await store.markShardReported({ id: 1, count: 2 }, 1);
      await store.markShardReported({ id: 1, count: 2 }, 2);
      await store.markShardReported({ id: 0, count: 4 }, 3);
      const shards = await store.reportedShards();
      expect([...shards].sort((a, b) => a.count - b.count)).toEqual([
        { id: 1, count: 2, at: 2 },
        { id: 0, count: 4, at: 3 },
      ]);
    });

    test('prunes changes before a time', async ({ store }) => {
      await store.write(prefix([A], '1', 100));
      await store.write(prefix([A], '2', 200));
      expect(await pruneAll(store, { now: 300, changesBefore: 200, leftBefore: 0 })).toMatchObject({
        changes: 1,
        guilds: 0,
      });
      expect(await pruneAll(store, { now: 300, changesBefore: 200, leftBefore: 0 })).toMatchObject({
        changes: 0,
        guilds: 0,
      });
      expect(await store.read(A)).toMatchObject({ revision: 2 });
    });

    test('keeps recent changes when an older one has a wrong time', async ({ store }) => {
      for (const at of [1_000, 1_001, 5, 1_002]) await store.write(prefix([A], `${at}`, at));
      expect(await pruneAll(store, { now: 1_003, changesBefore: 500, leftBefore: 0 })).toEqual({
        changes: 0,
        guilds: 0,
      });
    });

    test('erases guilds that were left before a time, under a revision', async ({ store }) => {
      await store.write(presence([A], 'left', 100));
      await store.write(presence([B], 'left', 200));
      expect(await pruneAll(store, { now: 300, changesBefore: 0, leftBefore: 200 })).toMatchObject({
        changes: 0,
        guilds: 1,
      });
      expect([await store.read(A), (await store.read(B))?.revision]).toEqual([null, 2]);
      expect(await store.write(prefix([B], '1'))).toMatchObject({ revision: 4 });
    });

    test('keeps the newest change of each guild when it prunes, until the guild changes again', async ({ store }) => {
      const limits = (before: number) => ({ now: 1_000, changesBefore: before, leftBefore: 0 });
      const revisionsOf = async (guildId: string) => {
        const range = { guildId, after: 0, before: 100, order: 'oldest-first', limit: 100 } as const;
        return (await store.readHistory(range)).map(({ revision }) => revision);
      };
      for (const [id, at] of [
        [A, 100],
        [B, 101],
        [A, 102],
        [B, 300],
      ] as const)
        await store.write(prefix([id], `${at}`, at));
      expect(await pruneAll(store, limits(200))).toEqual({ changes: 2, guilds: 0 });
      expect(await Promise.all([A, B].map(revisionsOf))).toEqual([[3], [4]]);
      expect(await store.readLogBounds()).toEqual({ oldest: 4, newest: 4 });
      await store.write(prefix([A], 'x', 301));
      expect(await revisionsOf(A)).toEqual([5]);
      expect(await pruneAll(store, limits(300))).toEqual({ changes: 0, guilds: 0 });
      expect(await pruneAll(store, limits(400))).toEqual({ changes: 0, guilds: 0 });
      expect(await Promise.all([A, B].map(revisionsOf))).toEqual([[5], [4]]);
      // Erasing a guild also deletes its newest change, which is older than the log.
      await store.write(presence([B], 'left', 302));
      expect(await pruneAll(store, { now: 1_000, changesBefore: 5_000, leftBefore: 400 })).toMatchObject({ guilds: 1 });
      expect(await revisionsOf(B)).toEqual([]);
    });

    test('counts the writes that wait', async ({ store }) => {
      const writes = [1, 2, 3].map((turn) => store.write(prefix([A], `${turn}`)));
      expect(store.load().waitingWrites).toBe(3);
      await Promise.all(writes);
      expect(store.load().waitingWrites).toBe(0);
    });

    test('passes its probes', async ({ store }) => {
      await expect(store.probeRead([A, NEVER_SEEN])).resolves.toBeUndefined();
      await expect(store.probeWrite()).resolves.toBeUndefined();
    });
  });
}
