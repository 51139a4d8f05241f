import { temporaryFile } from '@guild-settings/testing';
import { IDS } from '@guild-settings/testing/people';
import { fixture, pruneAll, writeMigratedFile } from '@guild-settings/testing/stores';
import { describe, expect, test as plainTest } from 'vitest';
import { authorizeManager, authorizeOwner } from '../auth/guild-access.ts';
import type { HistoryRange, LoggedChange } from '../store/guild-store.ts';
import { openStore } from '../store/open-store.ts';
import { commandInterpreter } from './apply-command.ts';
import { ChangeLog } from './change-log.ts';
import type { Command } from './command.ts';
import { GuildService } from './guild-service.ts';
import { HistoryService } from './history-service.ts';
import { Records } from './record.ts';

const records = new Records();
const DAY = 86_400_000;
const application = { kind: 'application', applicationId: IDS.application } as const;
const guild = authorizeManager(application, IDS.guild);
const permission = { guild, mayWriteUntilMs: Number.POSITIVE_INFINITY };
const options = {
  actor: { kind: 'application', id: IDS.application },
  origin: 'rest',
  reason: null,
  precondition: undefined,
} as const;

const test = plainTest.extend<{ world: Awaited<ReturnType<typeof openHistory>> }>({ world: fixture(openHistory) });

const reader = { userId: IDS.manager, isGone: () => false };

describe('while retention deletes changes', () => {
  test('an undo does not overwrite a later value whose change is deleted before it is read', async ({ world }) => {
    await world.patch({ prefix: '?' });
    await world.patch({ prefix: '#' });
    world.clock.nowMs += 91 * DAY;
    await world.patch({ beta: true });
    // The undone change is read first, then the later ones.
    world.beforeRead(2, () => world.prune());
    await expect(world.history.undo(permission, { revision: 1, options, reader })).rejects.toMatchObject({
      slug: 'revision-unknown',
    });
    expect(await records.at(guild, await world.guilds.find(guild))).toMatchObject({
      guild: { prefix: '#' },
    });
  });

  test('a record as it was does not lack a change that is deleted before it is read', async ({ world }) => {
    await world.patch({ prefix: '?' });
    await world.patch({ prefix: '#' });
    world.clock.nowMs += 91 * DAY;
    await world.patch({ beta: true });
    world.beforeRead(1, () => world.prune());
    await expect(world.history.readAt(guild, { revision: 1 }, reader)).rejects.toMatchObject({
      slug: 'revision-unknown',
    });
  });
});

describe('while the guild is erased', () => {
  test('a restore does not put back settings that it read before', async ({ world }) => {
    await world.patch({ prefix: '?' });
    const owner = { ...permission, guild: authorizeOwner(application, IDS.guild) };
    world.afterGuild(() => world.guilds.erase(owner, { ifMatch: '*' }));
    await expect(world.history.restore(permission, { revision: 1, options, reader })).rejects.toMatchObject({
      slug: 'revision-unknown',
    });
    expect(await records.at(guild, await world.guilds.find(guild))).toMatchObject({
      guild: { prefix: '!' },
    });
  });
});

test('a record as it was, of a guild that is erased meanwhile, does not have the entity tag of an empty guild', async ({
  world,
}) => {
  await world.patch({ prefix: '?' });
  await world.patch({ prefix: '#' });
  const owner = { ...permission, guild: authorizeOwner(application, IDS.guild) };
  // The later changes are read first, then the change that was the newest.
  world.beforeRead(2, () => world.guilds.erase(owner, { ifMatch: '*' }));
  await expect(world.history.readAt(guild, { revision: 1 }, reader)).rejects.toMatchObject({
    slug: 'revision-unknown',
  });
});

describe('while the guild is changed', () => {
  test('an undo is computed again, and finds the later value', async ({ world }) => {
    await world.patch({ prefix: '?' });
    world.beforeRead(2, () => world.patch({ prefix: '#' }));
    await expect(world.history.undo(permission, { revision: 1, options, reader })).rejects.toMatchObject({
      slug: 'later-change',
      options: { conflicts: [{ field: 'prefix', to: '#', revision: 2 }] },
    });
  });

  test('an undo is refused when the guild changes each time before it is written', async ({ world }) => {
    await world.patch({ prefix: '?' });
    let changes = 0;
    world.beforeEachRead(() => world.patch({ announcement_channel: `${++changes}` }));
    await expect(world.history.undo(permission, { revision: 1, options, reader })).rejects.toMatchObject({
      slug: 'store-unavailable',
    });
    expect(changes).toBeLessThan(100);
  });
});

describe('a guild with many changes', () => {
  test('never makes a request read more lines at once than a few milliseconds allow', async ({ world }) => {
    const large = (mark: number) => Array.from({ length: 64 }, (_, index) => `${mark} ${index} `.padEnd(64, '気'));
    for (let n = 0; n < 300; n += 1) await world.patch({ enabledFeatures: large(n) });
    await world.history.read(guild, { limit: 1, field: 'beta' }, reader);
    expect(world.largestRead()).toBeLessThan(2_000_000);
  });
});

describe('a walk through a long history', () => {
  test('ends when its reader has gone', async ({ world }) => {
    for (let n = 0; n < 400; n += 1) await world.patch({ prefix: `${n % 10}` });
    let looks = 0;
    const gone = { userId: IDS.manager, isGone: () => ++looks > 2 };
    await expect(world.history.readAt(guild, { revision: 1 }, gone)).rejects.toMatchObject({ slug: 'request-timeout' });
    expect(world.lines()).toBeLessThan(250);
  });

  test('is refused while three others of one person are under way, and no other person is', async ({ world }) => {
    // Long enough that no request ends before all have begun, even on a slow machine.
    for (let n = 0; n < 600; n += 1) await world.patch({ prefix: `${n % 10}` });
    const walks = Array.from({ length: 5 }, () => world.history.readAt(guild, { revision: 1 }, reader));
    const other = world.history.readAt(guild, { revision: 1 }, { ...reader, userId: IDS.owner });
    const outcomes = await Promise.all(
      walks.map((walk) =>
        walk.then(
          () => 'read',
          ({ slug }) => slug,
        ),
      ),
    );
    expect(outcomes.sort()).toEqual(['rate-limited', 'rate-limited', 'read', 'read', 'read']);
    expect(await other).toMatchObject({ revision: 1 });
    expect(await world.history.readAt(guild, { revision: 1 }, reader)).toMatchObject({ revision: 1 });
  });

  test('does not keep its reader from an ordinary part of the history', async ({ world }) => {
    for (let n = 0; n < 150; n += 1) await world.patch({ prefix: `${n % 10}` });
    const walks = Array.from({ length: 3 }, () => world.history.readAt(guild, { revision: 1 }, reader));
    expect((await world.history.read(guild, { limit: 100 }, reader)).entries).toHaveLength(100);
    expect(await Promise.all(walks)).toHaveLength(3);
  });

  test('is made once for a restore beside writers', async ({ world }) => {
    for (let n = 0; n < 400; n += 1) await world.patch({ prefix: `${n % 10}` });
    let changes = 0;
    world.beforeEachRead(() => world.patch({ announcement_channel: `${++changes}` }));
    const restored = await world.history.restore(permission, { revision: 1, options, reader });
    expect(restored).toMatchObject({ guild: { prefix: '0', announcement_channel: '' } });
    expect(world.lines()).toBeLessThan(450);
  });

  test('is made once for an undo beside changes of other settings', async ({ world }) => {
    await world.patch({ beta: true });
    for (let n = 0; n < 400; n += 1) await world.patch({ prefix: `${n % 10}` });
    let changes = 0;
    world.beforeRead(3, () => world.patch({ announcement_channel: `${++changes}` }));
    expect(await world.history.undo(permission, { revision: 1, options, reader })).toMatchObject({
      guild: { beta: false, announcement_channel: '1' },
    });
    expect(world.lines()).toBeLessThan(450);
  });
});

/** A history on a SQLite file with hooks between its reads. */
async function openHistory() {
  const file = temporaryFile();
  writeMigratedFile(file.path);
  const clock = { nowMs: Date.parse('2026-11-22T12:00:00Z') };
  const clocks = { nowMs: () => clock.nowMs, monotonicMs: () => clock.nowMs };
  const store = await openStore<Command>(
    { kind: 'sqlite', path: file.path },
    {
      apply: commandInterpreter(clocks, records),
      onCommit: () => {},
      onWatchers: () => {},
      isNewAllowed: false,
      ledger: undefined,
      onWarning: () => {},
      onNotifications: () => {},
    },
  );
  const guilds = new GuildService({ store, clock: clocks, records, changeLogBytesPerDay: 0, inviteUrlOf: String });
  let reads = 0;
  let beforeRead = async (_nth: number): Promise<void> => {};
  let afterGuild = async (): Promise<void> => {};
  const sizes: number[] = [];
  let lines = 0;
  const interrupted: ChangeLog['store'] = {
    ...store,
    async read(id) {
      const found = await store.read(id);
      await afterGuild();
      return found;
    },
    async readHistory(range: HistoryRange): Promise<readonly LoggedChange[]> {
      reads += 1;
      await beforeRead(reads);
      const found = await store.readHistory(range);
      lines += found.length;
      sizes.push(JSON.stringify(found).length);
      return found;
    },
  };
  return {
    clock,
    guilds,
    history: new HistoryService(new ChangeLog(interrupted, records.settings), guilds, records),
    patch: async (patch: Parameters<GuildService['update']>[1]) =>
      void (await guilds.update(permission, patch, options)),
    prune: async () =>
      void (await pruneAll(store, { now: clock.nowMs, changesBefore: clock.nowMs - 90 * DAY, leftBefore: 0 })),
    beforeRead(nth: number, work: () => Promise<void>) {
      beforeRead = async (read) => (read === nth ? work() : undefined);
    },
    beforeEachRead(work: () => Promise<void>) {
      beforeRead = work;
    },
    /** Runs work once after the guild was read. */
    afterGuild(work: () => Promise<void>) {
      afterGuild = async () => {
        afterGuild = async () => {};
        await work();
      };
    },
    lines: () => lines,
    largestRead: () => Math.max(...sizes),
    async [Symbol.asyncDispose]() {
      await store.close();
      file[Symbol.dispose]();
    },
  };
}

describe('the changes between two revisions', () => {
  const SETTING = 'x'.repeat(10_000);

  test('are all of them, up to a thousand', async () => {
    const { history } = logOf(1_000, 'a');
    const { entries } = (await history.changesBetween(guild, { after: 0, upTo: 1_000 }, reader)) ?? {};
    expect(entries?.map(({ revision }) => revision)).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 1));
    expect(await logOf(1_001, 'a').history.changesBetween(guild, { after: 0, upTo: 1_001 }, reader)).toBeUndefined();
  });

  test('are read in parts, and not to their end when they are long', async () => {
    const { history, limits } = logOf(990, SETTING);
    expect(await history.changesBetween(guild, { after: 0, upTo: 990 }, reader)).toBeUndefined();
    expect(Math.max(...limits)).toBeLessThanOrEqual(512);
    expect(limits.reduce((all, limit) => all + limit)).toBeLessThan(800);
    expect((await history.changesBetween(guild, { after: 900, upTo: 990 }, reader))?.entries).toHaveLength(90);
  });

  test('of which there is one are one query', async () => {
    const { history, limits } = logOf(7, 'a');
    expect((await history.changesBetween(guild, { after: 6, upTo: 7 }, reader))?.entries).toHaveLength(1);
    expect(limits).toHaveLength(1);
  });
});

/** A log with changes of a guild, and the numbers of lines that were requested. */
function logOf(changes: number, setting: string): { readonly history: HistoryService; readonly limits: number[] } {
  const limits: number[] = [];
  const lineAt = (revision: number): LoggedChange => ({
    revision,
    at: 0,
    before: { announcement_channel: setting },
    undoneBy: null,
    after: { announcement_channel: `${revision}` },
    ...options,
  });
  const store = {
    readErasure: async () => null,
    async readHistory({ after, limit }: HistoryRange) {
      limits.push(limit);
      const length = Math.min(limit, changes - after);
      return Array.from({ length }, (_, index) => lineAt(after + index + 1));
    },
  };
  return {
    history: new HistoryService(
      new ChangeLog(store as unknown as ChangeLog['store'], records.settings),
      {} as GuildService,
      records,
    ),
    limits,
  };
}
