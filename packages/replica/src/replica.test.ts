import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WatchedEvent } from '@guild-settings/client';
import { type Cursor, DEFAULT_SETTINGS, type Guild, type WatchEvent } from '@guild-settings/contract';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { type Follow, Replica } from './replica.ts';

const A = '197038439483310086';
const B = '197038439483310087';
const EPOCH = 'one';

function record(id: string, prefix: string): Guild {
  return { id, name: 'n', icon: null, ...DEFAULT_SETTINGS, prefix };
}

const reset: WatchEvent = { type: 'reset', epoch: EPOCH };
const guild = (id: string, revision: number, prefix: string): WatchEvent => ({
  type: 'guild',
  revision,
  guild: record(id, prefix),
});
const guilds = (...all: readonly (readonly [string, number, string])[]): WatchEvent => ({
  type: 'guilds',
  revision: all.at(-1)?.[1] ?? 0,
  guilds: all.map(([id, revision, prefix]) => ({ revision, guild: record(id, prefix) })),
});
const live = (revision: number): WatchEvent => ({ type: 'live', revision });

/** A service that says what it is told to say. */
function script() {
  const waiting: ((event: WatchedEvent) => void)[] = [];
  const said: WatchedEvent[] = [];
  const cursors: (Cursor | undefined)[] = [];
  let disconnect: (error: unknown) => void = () => {};
  const follow: Follow = async function* ({ cursor, signal, onDisconnect }) {
    cursors.push(cursor);
    disconnect = onDisconnect;
    while (!signal.aborted) {
      const next = said.shift();
      if (next !== undefined) yield next;
      else {
        await new Promise<void>((resolve) => {
          waiting.push(() => resolve());
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
      }
    }
  };
  return {
    follow,
    cursors,
    disconnect: () => disconnect(new Error('gone')),
    say(...events: WatchEvent[]) {
      for (const event of events) {
        said.push({ cursor: { epoch: EPOCH, revision: 'revision' in event ? event.revision : 0 }, event });
      }
      for (const wake of waiting.splice(0)) wake(said[0] as WatchedEvent);
    },
  };
}

async function fileResource() {
  const folder = await mkdtemp(join(tmpdir(), 'guild-settings-replica-'));
  return {
    path: join(folder, 'bot.db'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('did not come true within 5 s');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Leaves what a replica keeps that was told this. */
async function leave(path: string, ...events: readonly WatchEvent[]): Promise<void> {
  const service = script();
  const replica = new Replica({ path, follow: service.follow });
  replica.start();
  service.say(...events);
  await until(() => replica.status.state === 'LIVE');
  await replica.stop();
}

describe('a replica', () => {
  test('answers with the defaults, frozen, before it knows anything', async () => {
    await using file = await fileResource();
    const replica = new Replica({ path: file.path, follow: script().follow });
    expect(replica.get(A)).toEqual(DEFAULT_SETTINGS);
    expect([Object.isFrozen(replica.get(A)), Object.isFrozen(replica.get(A).enabledFeatures)]).toEqual([true, true]);
    expect(replica.status).toEqual({ state: 'SYNCING' });
    await replica.stop();
  });

  test('takes records over and is live when the backlog is through', async () => {
    await using file = await fileResource();
    const service = script();
    const replica = new Replica({ path: file.path, follow: service.follow });
    replica.start();
    service.say(reset, guild(A, 1, '?'), guild(B, 2, '#'), live(2));
    await until(() => replica.status.state === 'LIVE');
    expect([replica.get(A).prefix, replica.get(B).prefix]).toEqual(['?', '#']);
    expect(Object.isFrozen(replica.get(A))).toBe(true);
    expect(replica.counts).toEqual({ guilds: 2, revision: 2, reconnects: 0, reads: 3 });
    await replica.stop();
  });

  test('takes a page of records over at once, as new as each of them is', async () => {
    await using file = await fileResource();
    const service = script();
    const replica = new Replica({ path: file.path, follow: service.follow });
    replica.start();
    service.say(reset, guilds([A, 2, '?'], [B, 3, '#']), guilds([A, 1, 'old'], [B, 4, '$']), live(4));
    await until(() => replica.status.state === 'LIVE');
    expect([replica.get(A).prefix, replica.get(B).prefix]).toEqual(['?', '$']);
    expect(replica.counts).toMatchObject({ guilds: 2, revision: 4 });
    await replica.stop();
    const again = new Replica({ path: file.path, follow: service.follow });
    expect([again.get(A), again.get(B)]).toEqual([record(A, '?'), record(B, '$')]);
    expect([Object.isFrozen(again.get(A)), Object.isFrozen(again.get(A).enabledFeatures)]).toEqual([true, true]);
    await again.stop();
  });

  test('boots from its file and answers without the service, saying since when it is stale', async () => {
    await using file = await fileResource();
    const service = script();
    const first = new Replica({ path: file.path, follow: service.follow, clock: () => 1_000 });
    first.start();
    service.say(reset, guild(A, 1, '?'), live(1));
    await until(() => first.status.state === 'LIVE');
    await first.stop();

    const dead = script();
    const second = new Replica({ path: file.path, follow: dead.follow });
    expect(second.get(A).prefix).toBe('?');
    expect(second.status).toEqual({ state: 'STALE', since: new Date(1_000) });
    second.start();
    await until(() => dead.cursors.length === 1);
    expect(dead.cursors).toEqual([{ epoch: EPOCH, revision: 1 }]);
    await second.stop();
  });

  test('is stale from the moment it loses the service, and live again when it has caught up', async () => {
    await using file = await fileResource();
    const service = script();
    let now = 1_000;
    const replica = new Replica({ path: file.path, follow: service.follow, clock: () => now });
    replica.start();
    service.say(reset, live(0));
    await until(() => replica.status.state === 'LIVE');
    now = 2_000;
    service.disconnect();
    expect(replica.status).toEqual({ state: 'STALE', since: new Date(2_000) });
    service.say(guild(A, 1, '?'), live(1));
    await until(() => replica.status.state === 'LIVE');
    expect(replica.counts.reconnects).toBe(1);
    await replica.stop();
  });

  test('is stale from a reset in its stream, until the new records are all here', async () => {
    await using file = await fileResource();
    const service = script();
    const replica = new Replica({ path: file.path, follow: service.follow, clock: () => 3_000 });
    replica.start();
    service.say(reset, guild(A, 1, 'old'), live(1));
    await until(() => replica.status.state === 'LIVE');
    service.say(reset, guild(A, 2, 'new'));
    await until(() => replica.counts.revision === 2);
    expect(replica.status).toEqual({ state: 'STALE', since: new Date(3_000) });
    service.say(live(2));
    await until(() => replica.status.state === 'LIVE');
    await replica.stop();
  });

  test('with a record in its file that cannot be read takes in a reset, and that record with it', async () => {
    await using file = await fileResource();
    await leave(file.path, reset, guild(A, 1, 'old'), guild(B, 2, 'old'), live(2));
    const other = new Database(file.path);
    other.prepare('UPDATE records SET record = ? WHERE guild_id = ?').run('{', A);
    other.close();

    const again = script();
    const second = new Replica({ path: file.path, follow: again.follow });
    second.start();
    again.say(reset, guild(A, 1, 'new'));
    await until(() => second.counts.revision === 1);
    expect(second.get(B).prefix).toBe('old');
    again.say(live(1));
    await until(() => second.status.state === 'LIVE');
    expect([second.get(A).prefix, second.get(B)]).toEqual(['new', DEFAULT_SETTINGS]);
    expect(second.counts.guilds).toBe(1);
    await second.stop();
  });

  test('does not let an old record overwrite a newer one', async () => {
    await using file = await fileResource();
    const service = script();
    const replica = new Replica({ path: file.path, follow: service.follow });
    replica.start();
    service.say(reset, guild(A, 5, 'new'), live(5), guild(A, 3, 'old'), { type: 'bookmark', revision: 6 });
    await until(() => replica.counts.revision === 6);
    expect(replica.get(A).prefix).toBe('new');
    await replica.stop();
    expect(new Replica({ path: file.path, follow: service.follow }).get(A).prefix).toBe('new');
  });

  test('serves the old records after a reset until the new ones are all here, then those alone', async () => {
    await using file = await fileResource();
    const service = script();
    const replica = new Replica({ path: file.path, follow: service.follow });
    replica.start();
    service.say(reset, guild(A, 8, 'old'), guild(B, 9, 'old'), live(9));
    await until(() => replica.status.state === 'LIVE');
    service.say(reset, guild(A, 1, 'new'));
    await until(() => replica.counts.revision === 1);
    expect([replica.get(A).prefix, replica.get(B).prefix]).toEqual(['old', 'old']);
    service.say(live(1));
    await until(() => replica.get(A).prefix === 'new');
    expect(replica.get(B)).toEqual(DEFAULT_SETTINGS);
    await replica.stop();
  });

  test('that was stopped between a reset and its end serves the old ones, and in the end the new ones alone', async () => {
    await using file = await fileResource();
    const service = script();
    const first = new Replica({ path: file.path, follow: service.follow });
    first.start();
    service.say(reset, guild(A, 8, 'old'), guild(B, 9, 'old'), live(9));
    await until(() => first.status.state === 'LIVE');
    service.say(reset, guild(A, 1, 'new'));
    await until(() => first.counts.revision === 1);
    await first.stop();

    const again = script();
    const second = new Replica({ path: file.path, follow: again.follow });
    expect([second.get(A).prefix, second.get(B).prefix]).toEqual(['old', 'old']);
    second.start();
    again.say(live(1));
    await until(() => second.status.state === 'LIVE');
    expect([second.get(A).prefix, second.get(B).prefix]).toEqual(['new', DEFAULT_SETTINGS.prefix]);
    await second.stop();
  });

  test('that nobody has asked since its start answers with the newest, and over a reset with the old ones', async () => {
    await using file = await fileResource();
    await leave(file.path, reset, guild(A, 8, 'old'), guild(B, 9, 'old'), live(9));

    const again = script();
    const second = new Replica({ path: file.path, follow: again.follow });
    second.start();
    again.say(guild(A, 10, 'newer'), guild(A, 7, 'older'), live(10));
    await until(() => second.status.state === 'LIVE');
    again.say(reset, guild(B, 1, 'new'));
    await until(() => second.counts.revision === 1);
    expect([second.get(A).prefix, second.get(B).prefix]).toEqual(['newer', 'old']);
    again.say(live(1));
    await until(() => second.get(B).prefix === 'new');
    expect(second.get(A)).toEqual(DEFAULT_SETTINGS);
    await second.stop();
  });

  test('changes its memory after the file, never before: what could not be written is not served', async () => {
    await using file = await fileResource();
    const service = script();
    const errors: unknown[] = [];
    const replica = new Replica({ path: file.path, follow: service.follow, onError: (error) => errors.push(error) });
    replica.start();
    service.say(reset, guild(A, 1, 'old'), live(1));
    await until(() => replica.status.state === 'LIVE');
    const other = new Database(file.path);
    other.exec('BEGIN IMMEDIATE');
    service.say(guild(A, 2, 'new'));
    await until(() => errors.length === 1);
    expect(replica.get(A).prefix).toBe('old');
    expect(replica.status.state).toBe('STALE');
    other.exec('ROLLBACK');
    other.close();
    // It comes back with the cursor of what it has written.
    await until(() => service.cursors.length === 2);
    expect(service.cursors[1]).toEqual({ epoch: EPOCH, revision: 1 });
    await replica.stop();
  });
});
