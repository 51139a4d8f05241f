import type { WatchedEvent } from '@guild-settings/client';
import {
  type Cursor,
  DEFAULT_SETTINGS,
  formatCursor,
  type Guild,
  type GuildId,
  type RejectedRecord,
  type WatchedGuild,
} from '@guild-settings/contract';
import { openDatabase } from './database.ts';
import { openRejectedRecords } from './rejected-records.ts';
import { resetLosses } from './reset-losses.ts';
import { readWatcherId } from './watcher-id.ts';

/** What the file of a replica holds, without the records: loading them all would take most of a bot's start. */
export interface SavedReplica {
  readonly guilds: readonly GuildId[];
  /** Guilds with a record of after the last reset. The other records are served until the replica is live. */
  readonly current: readonly GuildId[];
  /**
   * `undefined`: all records are fetched again. Also when some could not be read, or an earlier version, which drops unknown
   * fields, has written some.
   */
  readonly cursor: Cursor | undefined;
  /** When the replica was last up to date, in milliseconds since 1970. */
  readonly liveAt: number | undefined;
}

/** What to do with staged records: hold them back, and for how long they have been, or put them in place at any event. */
export type Hold = { readonly kind: 'keep'; readonly forMs: number } | { readonly kind: 'release' };

/** The file that stores a replica. */
export type ReplicaFile = ReturnType<typeof openReplicaFile>;

/** The one row of the table `position`. */
interface Position {
  readonly epoch: string;
  readonly revision: number;
  readonly generation: number;
  readonly complete: number | null;
  readonly liveAt: number | null;
  readonly scope: string;
  readonly heldEpoch: string | null;
  readonly heldForMs: number;
  readonly untouchedTo: string | null;
}

const SQL = {
  position: `SELECT epoch, revision, generation, complete, live_at AS "liveAt", scope,
    held_epoch AS "heldEpoch", held_for_ms AS "heldForMs", untouched_to AS "untouchedTo" FROM position`,
  /** Reads the index of the key alone, a tenth of the table. */
  guilds: 'SELECT guild_id FROM records',
  current: 'SELECT guild_id FROM records WHERE generation = ?',
  record: 'SELECT record FROM records WHERE guild_id = ?',
  /** Writes newer revisions only. Revisions of different generations are not compared. */
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
    INSERT INTO position
      (id, epoch, revision, generation, complete, live_at, scope, held_epoch, held_for_ms, untouched_to)
    VALUES (1, :epoch, :revision, :generation, :complete, :liveAt, :scope, :heldEpoch, :heldForMs, :untouchedTo)
    ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch, revision = excluded.revision,
      generation = excluded.generation, complete = excluded.complete, live_at = excluded.live_at, scope = excluded.scope,
      held_epoch = excluded.held_epoch, held_for_ms = excluded.held_for_ms, untouched_to = excluded.untouched_to`,
} as const;

const NOT_HELD = { heldEpoch: null, heldForMs: 0 } as const;

/**
 * Opens the file of a replica.
 * @param scope names the followed guilds: the cursor of another scope is ignored
 * @throws FileInUseError when another process has the file open
 */
export function openReplicaFile(path: string, scope: string) {
  const { db, close } = openDatabase(path);
  const position = db.prepare<[], Position>(SQL.position);
  const known = position.get();
  // Changes after a commit only, like the replica's memory.
  let generation = known?.generation ?? 0;
  let complete = known?.complete ?? null;
  // The file of another scope was never up to date for these guilds.
  let liveAt = known?.scope === scope ? known.liveAt : null;
  let held = { heldEpoch: known?.heldEpoch ?? null, heldForMs: known?.heldForMs ?? 0 };
  const aside = openRejectedRecords(db);
  let rejected = aside.load();
  const anyRecord = db.prepare<[], 0 | 1>(SQL.any).pluck();
  // Earlier versions wrote new records over the old ones: those have the current generation.
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
  const move = db.prepare<[Position]>(SQL.move);

  function writeEvent({ event }: WatchedEvent, ofGeneration: number): readonly Guild[] {
    const isPut = ({ revision, guild }: WatchedGuild) => {
      const json = JSON.stringify(guild satisfies Guild);
      const { changes } = isStaging
        ? stage.run(guild.id, revision, json)
        : put.run(guild.id, revision, json, ofGeneration);
      if (rejected.length > 0) aside.remove(guild.id);
      return changes > 0;
    };
    switch (event.type) {
      case 'guild':
        return isPut(event) ? [event.guild] : [];
      case 'guilds':
        return event.guilds.filter(isPut).map(({ guild }) => guild);
      case 'removed':
        (isStaging ? unstage : remove).run(event.guild);
        if (rejected.length > 0) aside.remove(event.guild);
        return [];
      case 'live':
        // Reads the whole table.
        if (!isStaging && complete !== ofGeneration) removeOlder.run(ofGeneration);
        return [];
      case 'reset':
        clearStaged.run();
        return [];
      case 'bookmark':
        return [];
    }
  }

  const write = db.transaction((watched: WatchedEvent, now: number | undefined, hold: Hold | undefined) => {
    const { cursor, event } = watched;
    // The old records are served until the new ones are complete.
    const current = event.type === 'reset' ? generation + 1 : generation;
    const written = writeEvent(watched, current);
    for (const one of watched.rejected ?? []) aside.add(one, current, isStaging);
    const isReleased = isStaging && hold?.kind !== 'keep' && (event.type === 'live' || hold?.kind === 'release');
    if (isReleased) {
      clear.run();
      release.run(current);
      clearStaged.run();
    }
    const isComplete = isReleased || (event.type === 'live' && !isStaging);
    if (isComplete && rejected.length > 0) aside.removeOlder(current);
    const row = {
      ...cursor,
      untouchedTo: formatCursor(cursor),
      generation: current,
      // From a reset on, the generation before it is the complete one.
      complete: isComplete ? current : event.type === 'reset' ? (complete ?? generation) : complete,
      liveAt: now ?? liveAt,
      scope,
      ...(hold?.kind === 'keep' ? { heldEpoch: cursor.epoch, heldForMs: hold.forMs } : isReleased ? NOT_HELD : held),
    };
    move.run(row);
    return { row, written, isReleased };
  });

  return {
    load(): SavedReplica {
      const guilds = db.prepare<[], GuildId>(SQL.guilds).pluck().all();
      const current = db.prepare<[number], GuildId>(SQL.current).pluck();
      const at = position.get();
      const isOurs = at?.scope === scope;
      const isWhole = isOurs && rejected.length === 0 && at.untouchedTo === formatCursor(at);
      return {
        guilds,
        current: isStaging
          ? db.prepare<[], GuildId>(SQL.staged).pluck().all()
          : complete === generation
            ? guilds
            : current.all(generation),
        cursor: isWhole ? { epoch: at.epoch, revision: at.revision } : undefined,
        liveAt: isOurs ? (at.liveAt ?? undefined) : undefined,
      };
    },
    /** Returns the record of a stored guild, with the defaults of settings that the service did not have when it was stored. */
    read(guildId: GuildId): Guild {
      const json = record.get(guildId);
      if (json === undefined)
        throw new Error(`Expected a record of guild ${guildId} in the replica's file, found none`);
      return { ...DEFAULT_SETTINGS, ...(JSON.parse(json) as Guild) };
    },
    /** The records that could not be read, by guild. */
    get rejected(): readonly RejectedRecord[] {
      return rejected;
    },
    /** The id by which the service knows the process of this file. */
    watcherId: readWatcherId(db),
    /** Whether records of after a reset wait to replace the others. */
    get isStaging() {
      return isStaging;
    },
    /** Returns for how long the service has sent an epoch that is held back, in milliseconds. */
    heldForMs: (epoch: string) => (held.heldEpoch === epoch ? held.heldForMs : 0),
    /** Counts what would be lost if the staged records replaced the others. */
    losses: (isFollowed: (guildId: GuildId) => boolean) => resetLosses(db, isFollowed),
    /**
     * Writes an event and the cursor after it in one transaction.
     * @param now the time, if the replica is up to date with this event
     * @param hold overrides when staged records replace the others
     * @returns the records that were written: an older one does not overwrite a newer one
     */
    apply(watched: WatchedEvent, now: number | undefined, hold?: Hold): readonly Guild[] {
      const { row, written, isReleased } = write(watched, now, hold);
      ({ generation, complete, liveAt } = row);
      held = { heldEpoch: row.heldEpoch, heldForMs: row.heldForMs };
      if (rejected.length > 0 || watched.rejected !== undefined) rejected = aside.load();
      // Without old records to serve, the new ones are written in their place at once.
      if (watched.event.type === 'reset') isStaging = anyRecord.get() === 1;
      else if (isReleased) isStaging = false;
      return written;
    },
    close,
  };
}
