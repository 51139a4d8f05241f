import { describe, expect } from 'vitest';
import { A, B, CHANGE, erase, prefix, presence } from './store-commands.ts';
import { type StoreResource, storeTest } from './store-resource.ts';

/** Tests the behaviour of a store adapter for requested erasures. */
export function describeStoreErasures(name: string, open: () => Promise<StoreResource>): void {
  const test = storeTest(open);
  describe(`${name} store, about erasures,`, () => {
    test('erases a guild and its history, and keeps one line without its id', async ({ store }) => {
      await store.write(presence([A], 'present'));
      await store.write(prefix([A, B], '1'));
      const [, { guilds, written, revision }, again] = await Promise.all([
        store.write(prefix([A], 'before')),
        store.write(erase([A], 2_000)),
        store.write({ kind: 'append', guildIds: [A], text: 'after' }),
      ]);
      expect([guilds, written, revision]).toEqual([[null], 1, 5]);
      expect(again).toMatchObject({ guilds: [{ revision: 6, settings: { prefix: '!after' } }] });
      await store.finishErasures('guild');
      expect(await store.readErasure(A)).toEqual({ revision: 5, at: 2_000, wasPresent: true });
      expect(await store.readErasure(B)).toBeNull();
      const range = { guildId: A, after: 0, before: 100, order: 'oldest-first', limit: 10 } as const;
      expect((await store.readHistory(range)).map((line) => line.revision)).toEqual([6]);
      const { entries } = await store.readFeed(2, 10);
      expect(entries.map((entry) => ('guild' in entry ? [entry.revision, entry.guild.id] : entry))).toEqual([
        [3, B],
        { revision: 5, erased: A },
        [6, A],
      ]);
      expect(await store.countErasures()).toBe(0);
    });

    test('continues in another process with the erasures that one has left unfinished', async ({ resource }) => {
      await resource.store.write(prefix([A], '1'));
      await resource.store.write(erase([A]));
      await resource.store.forget(CHANGE.actor.id, 1_000);
      expect(await resource.store.countErasures()).toBe(2);
      const store = await resource.reopen();
      await Promise.all([store.finishErasures('guild'), store.finishErasures('person')]);
      expect(await store.countErasures()).toBe(0);
    });

    test('records the erasure of an author alone, and another one if that is allowed and there are later changes', async ({
      store,
    }) => {
      const refuse = (lastAt: number) => {
        throw new Error(`the last was at ${lastAt}`);
      };
      expect(await store.forget(CHANGE.actor.id, 1_000, refuse)).toBe(false);
      await store.write(prefix([A], '1'));
      expect(await store.forget('53908099506183999', 1_000, refuse)).toBe(false);
      expect(await store.countErasures()).toBe(0);
      expect(await store.forget(CHANGE.actor.id, 1_000, refuse)).toBe(true);
      expect(await store.forget(CHANGE.actor.id, 2_000, refuse)).toBe(true);
      expect(await store.countErasures()).toBe(1);
      await store.write(prefix([A], '2'));
      await expect(store.forget(CHANGE.actor.id, 3_000, refuse)).rejects.toThrow('the last was at 1000');
      expect(await store.countErasures()).toBe(1);
      expect(await store.forget(CHANGE.actor.id, 4_000)).toBe(true);
      await store.finishErasures('person');
      expect(await store.forget(CHANGE.actor.id, 5_000, refuse)).toBe(true);
      expect(await store.countErasures()).toBe(0);
    });

    test("replaces a person's id in all changes until the request, and keeps the changes", async ({ store }) => {
      for (let turn = 0; turn < 10; turn += 1) await store.write(prefix([A, B], `${turn}`));
      await store.forget(CHANGE.actor.id, 1_000);
      await store.write(prefix([A], 'later'));
      await store.forget('53908099506183999', 1_000);
      await store.finishErasures('person');
      const range = { guildId: A, after: 0, before: 100, order: 'oldest-first', limit: 100 } as const;
      const authors = (await store.readHistory(range)).map(({ actor }) => actor.id);
      expect(authors).toEqual([...Array(10).fill(''), CHANGE.actor.id]);
    });
  });
}
