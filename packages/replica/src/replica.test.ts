import type { WatchedEvent } from '@guild-settings/client';
import { DEFAULT_SETTINGS } from '@guild-settings/contract';
import { temporaryFile, waitUntil } from '@guild-settings/testing';
import { eventsOf, followedReplica, recordOf } from '@guild-settings/testing/replica';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { Acknowledge } from './acknowledger.ts';
import type { Replica } from './replica.ts';

const A = '197038439483310086';
const B = '197038439483310087';
const { reset, guild, guilds, removed, live, bookmark } = eventsOf('one');

const prefixes = (replica: Replica) => [A, B].map((id) => replica.get(id).prefix);
const areFrozen = (replica: Replica) => {
  const settings = replica.get(A);
  return Object.isFrozen(settings) && Object.isFrozen(settings.enabledFeatures);
};

async function writeFile(path: string, ...events: readonly WatchedEvent[]) {
  await using there = followedReplica({ path, clock: () => 1_000 });
  await there.send(...events);
}

describe('a replica', () => {
  test('returns the defaults before it has received anything, and frozen records when it is live', async () => {
    await using there = followedReplica();
    const { replica } = there;
    expect(replica.get(A)).toEqual(DEFAULT_SETTINGS);
    expect([replica.status, areFrozen(replica)]).toEqual([{ state: 'SYNCING' }, true]);
    await there.send(reset, guild(A, 1, '?'), guild(B, 2, '#'), live(2));
    expect([prefixes(replica), replica.status, areFrozen(replica)]).toEqual([['?', '#'], { state: 'LIVE' }, true]);
    const numbers = { guilds: 2, revision: 2, ageMs: 0, reconnects: 0, reads: 5, rejected: 0, arrivalMs: Number.NaN };
    expect(replica.metrics).toEqual(numbers);
  });

  test('acknowledges once more when nothing has followed a connection, and then not while idle', async () => {
    const acknowledged: number[] = [];
    const acknowledge: Acknowledge = async ({ cursor, leaves }) => {
      if (cursor !== undefined && !leaves) acknowledged.push(cursor.revision);
      return null;
    };
    await using there = followedReplica({ acknowledge });
    await there.send(reset, guild(A, 1, '?'));
    for (const [event, expected] of [
      [live(1), [1]],
      [bookmark(1), [1, 1]],
      [bookmark(1), [1, 1]],
      [guild(A, 2, '!'), [1, 1, 2]],
      [bookmark(2), [1, 1, 2]],
      [live(2), [1, 1, 2, 2]],
      [bookmark(2), [1, 1, 2, 2, 2]],
    ] as const) {
      await there.send(event);
      await waitUntil(() => acknowledged.length >= expected.length);
      expect(acknowledged).toStrictEqual(expected);
    }
    await there.replica.close();
    expect(acknowledged).toHaveLength(5);
  });

  test('takes leave once when it is closed, with the run that its watch has named', async () => {
    const left: (string | number | undefined)[] = [];
    const acknowledge: Acknowledge = async ({ run, cursor, leaves }) => {
      if (leaves) left.push(run, cursor?.revision);
      return null;
    };
    await using there = followedReplica({ acknowledge });
    await there.send(reset, guild(A, 1, '?'), live(1));
    await Promise.all([there.replica.close(), there.replica.close()]);
    expect(left).toEqual([there.runs[0], 1]);
  });

  test('takes no leave of a service that it has not reached', async () => {
    const calls: unknown[] = [];
    const acknowledge: Acknowledge = async (call) => {
      calls.push(call);
      return null;
    };
    await using there = followedReplica({ acknowledge });
    await there.replica.close();
    expect(calls).toEqual([]);
  });

  test('acknowledges at once after a new connection, however long calls have failed before it', async () => {
    let isDown = true;
    const acknowledged: number[] = [];
    const acknowledge: Acknowledge = async ({ cursor }) => {
      if (cursor !== undefined) acknowledged.push(cursor.revision);
      if (isDown) throw new Error('unavailable');
      return null;
    };
    await using there = followedReplica({ acknowledge });
    await there.send(reset, guild(A, 1, '?'), live(1));
    // The next call would be made after two seconds.
    await waitUntil(() => acknowledged.length === 3);
    isDown = false;
    await there.send(guild(A, 2, '!'), live(2));
    await expect.poll(() => acknowledged, { timeout: 1_000 }).toContain(2);
  });

  test('stores the records of one event at once, each at its own revision, and overwrites none with an older one', async () => {
    using file = temporaryFile();
    {
      await using there = followedReplica({ path: file.path });
      await there.send(reset, guilds([A, 2, '?'], [B, 3, '#']), guilds([A, 1, 'old'], [B, 4, '$']), live(4));
      await there.send(guild(A, 1, 'old'));
      expect(prefixes(there.replica)).toEqual(['?', '$']);
      expect(there.replica.metrics.guilds).toBe(2);
    }
    await using again = followedReplica({ path: file.path });
    expect([again.replica.get(A), again.replica.get(B)]).toEqual([recordOf(A, '?'), recordOf(B, '$')]);
    expect(areFrozen(again.replica)).toBe(true);
  });

  test('reads its file and returns settings without the service, and reports since when it is stale', async () => {
    using file = temporaryFile();
    await writeFile(file.path, reset, guild(A, 1, '?'), live(1));
    await using there = followedReplica({ path: file.path });
    expect(there.replica.get(A).prefix).toBe('?');
    expect(there.replica.status).toEqual({ state: 'STALE', since: new Date(1_000) });
    expect(there.cursors).toEqual([{ epoch: 'one', revision: 1 }]);
  });

  test('is stale from the moment it loses the service or is reset, until it has caught up', async () => {
    let now = 1_000;
    await using there = followedReplica({ clock: () => now });
    await there.send(reset, live(0));
    now = 2_000;
    there.disconnect();
    expect(there.replica.status).toEqual({ state: 'STALE', since: new Date(2_000) });
    await there.send(guild(A, 1, 'old'), live(1));
    expect(there.replica.status).toEqual({ state: 'LIVE' });
    expect(there.replica.metrics.reconnects).toBe(1);
    now = 3_000;
    await there.send(reset, guild(A, 2, 'new'));
    expect(there.replica.status).toEqual({ state: 'STALE', since: new Date(3_000) });
    expect(there.replica.get(A).prefix).toBe('old');
    await there.send(live(2));
    expect(there.replica.status).toEqual({ state: 'LIVE' });
  });

  test('continues to follow the service, and is stale meanwhile, when its callbacks throw', async () => {
    const fail = () => {
      throw new Error('a callback that fails');
    };
    await using there = followedReplica({ onError: fail, onListenerError: fail });
    there.replica.on('change', fail);
    await there.send(reset, guild(A, 1, '1'), live(1));
    there.disconnect();
    expect(there.replica.status.state).toBe('STALE');
    await there.send(live(2));
    expect(there.replica.status.state).toBe('LIVE');
  });

  test('with an unreadable record in its file accepts a reset, and with it that record', async () => {
    using file = temporaryFile();
    await writeFile(file.path, reset, guild(A, 1, 'old'), guild(B, 2, 'old'), live(2));
    const other = new Database(file.path);
    other.prepare('UPDATE records SET record = ? WHERE guild_id = ?').run('{', A);
    other.close();
    await using there = followedReplica({ path: file.path });
    await there.send(reset, guild(A, 1, 'new'));
    expect(there.replica.get(B).prefix).toBe('old');
    await there.send(live(1));
    expect([there.replica.get(A).prefix, there.replica.get(B)]).toEqual(['new', DEFAULT_SETTINGS]);
    expect(there.replica.metrics.guilds).toBe(1);
  });

  test('that was stopped during a reset serves the old records, and after it the new ones alone', async () => {
    using file = temporaryFile();
    await writeFile(file.path, reset, guild(A, 8, 'old'), guild(B, 9, 'old'), live(9), reset, guild(A, 1, 'new'));
    await using there = followedReplica({ path: file.path });
    expect(prefixes(there.replica)).toEqual(['old', 'old']);
    await there.send(live(1));
    expect(prefixes(there.replica)).toEqual(['new', DEFAULT_SETTINGS.prefix]);
  });

  test('whose records were not read since the start returns the newest, and during a reset the old ones', async () => {
    using file = temporaryFile();
    await writeFile(file.path, reset, guild(A, 8, 'old'), guild(B, 9, 'old'), live(9));
    await using there = followedReplica({ path: file.path });
    await there.send(guild(A, 10, 'newer'), guild(A, 7, 'older'), live(10));
    await there.send(reset, guild(B, 1, 'new'));
    expect(prefixes(there.replica)).toEqual(['newer', 'old']);
    await there.send(live(1));
    expect(prefixes(there.replica)).toEqual([DEFAULT_SETTINGS.prefix, 'new']);
  });

  test('changes its memory after the file: a record that could not be written is not served', async () => {
    const errors: unknown[] = [];
    await using there = followedReplica({ onError: (error) => errors.push(error) });
    await there.send(reset, guild(A, 1, 'old'), live(1));
    const other = new Database(there.path);
    other.exec('BEGIN IMMEDIATE');
    const sent = there.send(guild(A, 2, 'new'));
    await waitUntil(() => errors.length === 1);
    expect(there.replica.get(A).prefix).toBe('old');
    expect(there.replica.status.state).toBe('STALE');
    other.exec('ROLLBACK');
    other.close();
    await sent;
    // The replica resumes at the cursor that it has written.
    expect(there.cursors).toEqual([undefined, { epoch: 'one', revision: 1 }]);
    expect(there.replica.get(A).prefix).toBe('new');
  });

  test('emits a change with the settings before and after it, when both the file and its memory have it', async () => {
    await using there = followedReplica();
    const { replica } = there;
    const changes: unknown[] = [];
    const remove = replica.on('change', (guildId, before, after) => {
      expect(replica.get(guildId)).toBe(after);
      expect([Object.isFrozen(before), Object.isFrozen(after)]).toEqual([true, true]);
      const other = new Database(there.path, { readonly: true });
      const stored = other.prepare<[string], string>('SELECT record FROM records WHERE guild_id = ?').pluck();
      changes.push([guildId, before.prefix, after.prefix, JSON.parse(stored.get(guildId) ?? '{}').prefix]);
      other.close();
    });
    await there.send(reset, guilds([A, 1, '?'], [B, 2, '!']));
    expect(changes).toEqual([]);
    // A record of B with the defaults is not a change.
    await there.send(live(2), guild(A, 3, '?'), guild(A, 4, '$'), guild(B, 1, 'old'), removed(A, 5), bookmark(6));
    expect(changes).toEqual([
      [A, '!', '?', '?'],
      [A, '?', '$', '$'],
      [A, '$', '!', undefined],
    ]);
    remove();
    await there.send(guild(A, 7, '#'));
    expect(changes).toHaveLength(3);
  });

  test('notifies of each guild that was erased, also of one with the defaults, when its record is gone', async () => {
    const erased: unknown[] = [];
    await using there = followedReplica({
      onRemoved: (guildId) => erased.push([guildId, there.replica.has(guildId)]),
    });
    await there.send(reset, guilds([A, 1, '?'], [B, 2, '!']), live(2), removed(B, 3), removed(A, 4), bookmark(4));
    expect(erased).toEqual([
      [B, false],
      [A, false],
    ]);
  });

  test('emits the changes of a reset at its end, of records that only the file has as well', async () => {
    using file = temporaryFile();
    await writeFile(file.path, reset, guild(A, 8, 'a'), guild(B, 9, 'b'), live(9));
    const errors: unknown[] = [];
    await using there = followedReplica({ path: file.path, onListenerError: (error) => errors.push(error) });
    const changes: unknown[] = [];
    there.replica.on('change', () => {
      throw new Error('of a listener');
    });
    there.replica.on('change', (guildId, before, after) => changes.push([guildId, before.prefix, after.prefix]));
    await there.send(reset, guild(A, 1, 'new'));
    expect(changes).toEqual([]);
    await there.send(live(1));
    expect(changes).toEqual([
      [A, 'a', 'new'],
      [B, 'b', '!'],
    ]);
    expect(errors).toEqual([new Error('of a listener'), new Error('of a listener')]);
    expect(there.replica.status).toEqual({ state: 'LIVE' });
  });

  test('calls a listener once for each time it was added, and one that adds itself again once for each change', async () => {
    await using there = followedReplica();
    const { replica } = there;
    const again: string[] = [];
    const twice: string[] = [];
    let remove = () => {};
    const addAgain = () => {
      remove();
      remove = replica.on('change', (_guildId, _before, after) => {
        again.push(after.prefix);
        // Limited, because a listener that is called for the change in which it was added would block the process.
        if (again.length < 10) addAgain();
      });
    };
    addAgain();
    const listener = (_guildId: string, _before: unknown, after: { readonly prefix: string }) => {
      twice.push(after.prefix);
    };
    const removeFirst = replica.on('change', listener);
    replica.on('change', listener);
    await there.send(reset, live(0), guild(A, 1, '?'));
    removeFirst();
    await there.send(guild(A, 2, '$'));
    expect([again, twice]).toEqual([
      ['?', '$'],
      ['?', '?', '$'],
    ]);
  });

  test('can be waited for until it is live, until a signal aborts, and until it is closed', async () => {
    await using there = followedReplica();
    const { replica } = there;
    expect(replica.metrics.ageMs).toBeNaN();
    await expect(replica.waitUntilLive({ signal: AbortSignal.timeout(5) })).rejects.toThrow('aborted');
    const isLive = replica.waitUntilLive({ signal: new AbortController().signal });
    await there.send(reset, live(1));
    await isLive;
    expect(replica.metrics.ageMs).toBe(0);
    await replica.waitUntilLive();
    there.disconnect();
    expect(replica.metrics.ageMs).toBeGreaterThanOrEqual(0);
    const aborted = expect(replica.waitUntilLive()).rejects.toThrow('aborted');
    await replica.close();
    await aborted;
  });
});
