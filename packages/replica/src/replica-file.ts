import type { WatchedEvent } from '@guild-settings/client';
import type { Cursor, Guild, GuildId, WatchedGuild } from '@guild-settings/contract';
import { openBotDatabase } from '../database/database.ts';
import type * as schema from '../database/schema.ts';
import { type ResetLosses, resetLosses } from './reset-losses.ts';

/** What a replica's file holds, without the records themselves: to read them all would take most of a bot's start. */
export interface SavedReplica {
  readonly guilds: readonly GuildId[];
  /** Those that came after the last reset. The others serve until the replica is live. */
  readonly current: readonly GuildId[];
  readonly cursor: Cursor | undefined;
  /** When it was last up to date, in milliseconds since 1970. */
  readonly liveAt: number | undefined;
}

/** What is done with staged records: kept back, and for how long they have been, or put in place with any event. */
export type Hold = { readonly kind: 'keep'; readonly forMs: number } | { readonly kind: 'release' };

/** The file that a replica boots from. */
export interface ReplicaFile {
  load(): SavedReplica;
  /** A guild that it holds. */
  read(guildId: GuildId): Guild;
  /** Whether records that came after a reset wait to take the place of the others. */
  readonly isStaging: boolean;
  /** For how long the service has offered an epoch that is kept back, in milliseconds. */
  heldForMs(epoch: string): number;
  /** What would be lost if the staged records took the place of the others. */
  losses(isFollowed: (guildId: GuildId) => boolean): ResetLosses;
  /**
   * Writes an event and the cursor after it in one transaction.
   * @param liveAt the replica is up to date then
   * @param hold keeps staged records back at an event that would have them take the place of the others
   * @returns the records that were written: an old one does not undo a newer one
   */
  apply(watched: WatchedEvent, liveAt: number | undefined, hold?: Hold): readonly Guild[];
  close(): void;
}

type Position = typeof schema.position.$inferSelect;

/** In SQL and not through drizzle: with every guild at once, what drizzle does for each row is felt. */
const SQL = {
  position: `SELECT epoch, revision, generation, complete, live_at AS "liveAt", scope,
    held_epoch AS "heldEpoch", held_for_ms AS "heldForMs" FROM position`,
  /** From the key's index: a tenth of what the table is. */
  guilds: 'SELECT guild_id FROM records',
  current: 'SELECT guild_id FROM records WHERE generation = ?',
  record: 'SELECT record FROM records WHERE guild_id = ?',
  /** Only what is newer. After a reset revisions begin anew. */
  put: `
    INSERT INTO records (guild_id, revision, record, generation) VALUES (?, ?, ?, ?)
    ON CONFLICT (guild_id) DO UPDATE
    SET revision = excluded.revision, record = excluded.record, generation = excluded.generation
    WHERE excluded.generation > records.generation OR excluded.revision > records.revision`,
  remove: 'DELETE FROM records WHERE guild_id = ?',
  removeOlder: 'DELETE FROM records WHERE generation < ?',
  any: 'SELECT EXISTS (SELECT 1 FROM records)',
  anyOf: 'SELECT EXISTS (SELECT 1 FROM records WHERE generation = ?)',
  staged: 'SELECT guild_id FROM staged',
  stage: `
    INSERT INTO staged (guild_id, revision, record) VALUES (?, ?, ?)
    ON CONFLICT (guild_id) DO UPDATE SET revision = excluded.revision, record = excluded.record
    WHERE excluded.revision > staged.revision`,
  unstage: 'DELETE FROM staged WHERE guild_id = ?',
  clearStaged: 'DELETE FROM staged',
  clear: 'DELETE FROM records',
  release:
    'INSERT INTO records (guild_id, revision, generation, record) SELECT guild_id, revision, ?, record FROM staged',
  move: `
    INSERT INTO position (id, epoch, revision, generation, complete, live_at, scope, held_epoch, held_for_ms)
    VALUES (1, :epoch, :revision, :generation, :complete, :liveAt, :scope, :heldEpoch, :heldForMs)
    ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch, revision = excluded.revision,
      generation = excluded.generation, complete = excluded.complete, live_at = excluded.live_at, scope = excluded.scope,
      held_epoch = excluded.held_epoch, held_for_ms = excluded.held_for_ms`,
} as const;

const NOT_HELD = { heldEpoch: null, heldForMs: 0 } as const;

/**
 * Opens a replica's file. What it holds can be fetched again, so a commit need not be on the disk at once: a loss of power
 * costs the newest changes, and the cursor that is lost with them fetches them again.
 * @param scope which guilds are followed: a cursor that was for others is not taken up
 */
export function openReplicaFile(path: string, scope: string): ReplicaFile {
  const { $client: db } = openBotDatabase(path, 'in-order');
  const position = db.prepare<[], Omit<Position, 'id'>>(SQL.position);
  const known = position.get();
  // Changed after a commit alone, like the replica's memory.
  let generation = known?.generation ?? 0;
  let complete = known?.complete ?? null;
  // Of these guilds it is not known yet when others' were up to date.
  let liveAt = known?.scope === scope ? known.liveAt : null;
  let held = { heldEpoch: known?.heldEpoch ?? null, heldForMs: known?.heldForMs ?? 0 };
  const anyRecord = db.prepare<[], 0 | 1>(SQL.any).pluck();
  // A version before this one wrote new records over the old ones: their generation is the current one.
  let isStaging =
    complete !== null &&
    complete !== generation &&
    anyRecord.get() === 1 &&
    db.prepare<[number], 0 | 1>(SQL.anyOf).pluck().get(generation) === 0;
  const stage = db.prepare<[GuildId, number, string]>(SQL.stage);
  const unstage = db.prepare<[GuildId]>(SQL.unstage);
  const clearStaged = db.prepare<[]>(SQL.clearStaged);
  const clear = db.prepare<[]>(SQL.clear);
  const release = db.prepare<[number]>(SQL.release);
  const record = db.prepare<[GuildId], string>(SQL.record).pluck();
  const put = db.prepare<[GuildId, number, string, number]>(SQL.put);
  const remove = db.prepare<[GuildId]>(SQL.remove);
  const removeOlder = db.prepare<[number]>(SQL.removeOlder);
  const move = db.prepare<[Omit<Position, 'id'>]>(SQL.move);

  function write({ event }: WatchedEvent, ofGeneration: number): readonly Guild[] {
    const isPut = ({ revision, guild }: WatchedGuild) => {
      const json = JSON.stringify(guild satisfies Guild);
      const { changes } = isStaging
        ? stage.run(guild.id, revision, json)
        : put.run(guild.id, revision, json, ofGeneration);
      return changes > 0;
    };
    switch (event.type) {
      case 'guild':
        return isPut(event) ? [event.guild] : [];
      case 'guilds':
        return event.guilds.filter(isPut).map(({ guild }) => guild);
      case 'removed':
        (isStaging ? unstage : remove).run(event.guild);
        return [];
      case 'live':
        // To look for older ones goes through the whole file.
        if (!isStaging && complete !== ofGeneration) removeOlder.run(ofGeneration);
        return [];
      case 'reset':
        clearStaged.run();
        return [];
      case 'bookmark':
        return [];
    }
  }

  const apply = db.transaction((watched: WatchedEvent, now: number | undefined, hold: Hold | undefined) => {
    const { cursor, event } = watched;
    // The old records serve until all the new ones are here.
    const current = event.type === 'reset' ? generation + 1 : generation;
    const written = write(watched, current);
    const isReleased = isStaging && hold?.kind !== 'keep' && (event.type === 'live' || hold?.kind === 'release');
    if (isReleased) {
      clear.run();
      release.run(current);
      clearStaged.run();
    }
    const isComplete = isReleased || (event.type === 'live' && !isStaging);
    const row = {
      ...cursor,
      generation: current,
      // From a reset on, what was there before is what is complete.
      complete: isComplete ? current : event.type === 'reset' ? (complete ?? generation) : complete,
      liveAt: now ?? liveAt,
      scope,
      ...(hold?.kind === 'keep' ? { heldEpoch: cursor.epoch, heldForMs: hold.forMs } : isReleased ? NOT_HELD : held),
    };
    move.run(row);
    return { row, written, isReleased };
  });

  return {
    load() {
      const guilds = db.prepare<[], GuildId>(SQL.guilds).pluck().all();
      const current = db.prepare<[number], GuildId>(SQL.current).pluck();
      const at = position.get();
      const isOurs = at?.scope === scope;
      return {
        guilds,
        current: isStaging
          ? db.prepare<[], GuildId>(SQL.staged).pluck().all()
          : complete === generation
            ? guilds
            : current.all(generation),
        cursor: isOurs ? { epoch: at.epoch, revision: at.revision } : undefined,
        liveAt: isOurs ? (at.liveAt ?? undefined) : undefined,
      };
    },
    read(guildId) {
      const json = record.get(guildId);
      if (json === undefined) throw new Error(`The bot's file has lost guild ${guildId}`);
      return JSON.parse(json) as Guild;
    },
    get isStaging() {
      return isStaging;
    },
    heldForMs: (epoch) => (held.heldEpoch === epoch ? held.heldForMs : 0),
    losses: (isFollowed) => resetLosses(db, isFollowed),
    apply(watched, now, hold) {
      const { row, written, isReleased } = apply(watched, now, hold);
      ({ generation, complete, liveAt } = row);
      held = { heldEpoch: row.heldEpoch, heldForMs: row.heldForMs };
      // Without old records there is nothing to keep: the new ones are written in their place.
      if (watched.event.type === 'reset') isStaging = anyRecord.get() === 1;
      else if (isReleased) isStaging = false;
      return written;
    },
    close: () => db.close(),
  };
}
