import type { ProblemError } from '@guild-settings/contract';
import { startTestPostgres, temporaryFile } from '@guild-settings/testing';
import { IDS } from '@guild-settings/testing/people';
import { migratedDatabase, writeMigratedFile } from '@guild-settings/testing/stores';
import { afterAll, expect, test } from 'vitest';
import { authorizeManager } from '../auth/guild-access.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { commandInterpreter } from './apply-command.ts';
import { ChangeLog } from './change-log.ts';
import type { Command } from './command.ts';
import { GuildService } from './guild-service.ts';
import { HistoryService } from './history-service.ts';
import { Records } from './record.ts';

const records = new Records();
const DAY = 86_400_000;
/** Enough that retention needs more than one slice. */
const CHANGES = 3_000;
const application = { kind: 'application', applicationId: IDS.application } as const;
const guild = authorizeManager(application, IDS.guild);
const permission = { guild, mayWriteUntilMs: Number.POSITIVE_INFINITY };
const actor = { kind: 'application', id: IDS.application } as const;
const options = { actor, origin: 'rest', reason: null, precondition: undefined } as const;
const reader = { userId: undefined, isGone: () => false };
const prefixAt = (revision: number) => `${revision % 10}`;

const server = await startTestPostgres();
afterAll(() => server[Symbol.asyncDispose]());

test.each(['SQLite', 'PostgreSQL'])(
  'a guild whose history retention has deleted in part, when the bot returns to it, has no wrong record of the past on %s',
  async (kind) => {
    using file = temporaryFile('test.db');
    const clock = { now: 1_800_000_000_000, nowMs: () => clock.now, monotonicMs: () => 0 };
    if (kind === 'SQLite') writeMigratedFile(file.path);
    const database =
      kind === 'SQLite'
        ? ({ kind: 'sqlite', path: file.path } as const)
        : ({ kind: 'postgres', url: await migratedDatabase(server) } as const);
    const store = await openStore(database, {
      apply: commandInterpreter(clock, records),
      onCommit: () => {},
      onWatchers: () => {},
      isNewAllowed: false,
      ledger: undefined,
      onWarning: () => {},
      onNotifications: () => {},
    });
    const guilds = new GuildService({ store, clock, records, changeLogBytesPerDay: 0, inviteUrlOf: String });
    const history = new HistoryService(new ChangeLog(store, records.settings), guilds, records);
    const report = (present: object) =>
      store.write({
        kind: 'report-presence',
        guildIds: [guild.id],
        present: { ...present },
        change: { at: clock.now, actor, origin: 'platform', reason: null },
        leftNotBefore: 0,
      });
    const patches = Array.from({ length: CHANGES }, (_, index) => ({
      permission,
      patch: { prefix: prefixAt(index + 1) },
    }));
    await guilds.updateAll(patches, options);
    await report({});
    clock.now += 31 * DAY;
    await pruneUntilSomeIsLeft(store, clock.now);
    await report({ [guild.id]: { name: 'Back', icon: null } });
    await guilds.update(permission, { prefix: 'later' }, options);

    const newest = CHANGES + 3;
    for (const revision of [1, 50, 199, 200, 201, 1_000, 2_000, CHANGES - 1, CHANGES, CHANGES + 1, CHANGES + 2]) {
      const record = await history
        .readAt(guild, { revision: revision }, reader)
        .catch((error: ProblemError) => error.slug);
      if (record !== 'revision-unknown')
        expect(record).toMatchObject({ revision, guild: { prefix: prefixAt(Math.min(revision, CHANGES)) } });
    }
    expect(await history.readAt(guild, { revision: CHANGES + 2 }, reader)).toMatchObject({
      guild: { prefix: prefixAt(CHANGES) },
    });
    const { entries } = await history.read(guild, { limit: 100 }, reader);
    expect(entries.map(({ revision }) => revision)).toEqual(entries.map((_, index) => newest - index));
    expect(await history.undo(permission, { revision: newest, options, reader })).toMatchObject({
      guild: { prefix: prefixAt(CHANGES) },
    });
    await store.close();
  },
);

async function pruneUntilSomeIsLeft(store: Store<Command>, now: number): Promise<void> {
  const range = { guildId: guild.id, after: 0, before: 2, order: 'oldest-first', limit: 1 } as const;
  while ((await store.readHistory(range)).length > 0)
    await store.prune({ now, changesBefore: now - 90 * DAY, leftBefore: now - 30 * DAY });
  expect(await store.read(guild.id)).toMatchObject({ presence: 'left' });
}
