import type { WatchedEvent } from '@guild-settings/client';
import {
  type Cursor,
  DEFAULT_SETTINGS,
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
  /** Guilds with a staged record of after the last reset; `undefined`: no records are staged. */
  readonly staged: readonly GuildId[] | undefined;
  /** `undefined`: all records are fetched again, also because some could not be read. */
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
  readonly isStaging: 0 | 1;
  readonly liveAt: number | null;
  readonly scope: string;
  readonly heldEpoch: string | null;
  readonly heldForMs: number;
}

const SQL = {
  position: `SELECT epoch, revision, generation, is_staging AS "isStaging", live_at AS "liveAt", scope,
    held_epoch AS "heldEpoch", held_for_ms AS "heldForMs" FROM position`,
  /** Reads the index of the key alone, a tenth of the table. */
  guilds: 'SELECT guild_id FROM records',
  record: 'SELECT record FROM records WHERE guild_id = ?',
  /** Writes newer revisions only. */
  put: `
    INSERT INTO records (guild_id, revision, record) VALUES (?, ?, ?)
    ON CONFLICT (guild_id) DO UPDATE SET revision = excluded.revision, record = excluded.record
    WHERE excluded.revision > records.revision`,
  remove: 'DELETE FROM records WHERE guild_id = ?',
  any: 'SELECT EXISTS (SELECT 1 FROM records)',
  staged: 'SELECT guild_id FROM staged',
  stage: `
    INSERT INTO staged (guild_id, revision, record) VALUES (?, ?, ?)
    ON CONFLICT (guild_id) DO UPDATE SET revision = excluded.revision, record = excluded.record
    WHERE excluded.revision > staged.revision`,
  unstage: 'DELETE FROM staged WHERE guild_id = ?',
  clearStaged: 'DELETE FROM staged',
  clear: 'DELETE FROM records',
  release: 'INSERT INTO records (guild_id, revision, record) SELECT guild_id, revision, record FROM staged',
  move: `
    INSERT INTO position
      (id, epoch, revision, generation, is_staging, live_at, scope, held_epoch, held_for_ms)
    VALUES (1, :epoch, :revision, :generation, :isStaging, :liveAt, :scope, :heldEpoch, :heldForMs)
    ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch, revision = excluded.revision,
      generation = excluded.generation, is_staging = excluded.is_staging, live_at = excluded.live_at,
      scope = excluded.scope, held_epoch = excluded.held_epoch, held_for_ms = excluded.held_for_ms`,
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
  let isStaging = known?.isStaging === 1;
  // The file of another scope was never up to date for these guilds.
  let liveAt = known?.scope === scope ? known.liveAt : null;
  let held = { heldEpoch: known?.heldEpoch ?? null, heldForMs: known?.heldForMs ?? 0 };
  const aside = openRejectedRecords(db);
  let rejected = aside.load();
  const anyRecord = db.prepare<[], 0 | 1>(SQL.any).pluck();
  const stage = db.prepare<[GuildId, number, string]>(SQL.stage);
  const unstage = db.prepare<[GuildId]>(SQL.unstage);
  const clearStaged = db.prepare<[]>(SQL.clearStaged);
  const clear = db.prepare<[]>(SQL.clear);
  const release = db.prepare<[]>(SQL.release);
  const record = db.prepare<[GuildId], string>(SQL.record).pluck();
  const put = db.prepare<[GuildId, number, string]>(SQL.put);
  const remove = db.prepare<[GuildId]>(SQL.remove);
  const move = db.prepare<[Position]>(SQL.move);

  function writeEvent({ event }: WatchedEvent): readonly Guild[] {
    const isPut = ({ revision, guild }: WatchedGuild) => {
      const json = JSON.stringify(guild satisfies Guild);
      const { changes } = (isStaging ? stage : put).run(guild.id, revision, json);
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
      case 'reset':
        clearStaged.run();
        return [];
      case 'live':
      case 'bookmark':
        return [];
    }
  }

  const write = db.transaction((watched: WatchedEvent, now: number | undefined, hold: Hold | undefined) => {
    const { cursor, event } = watched;
    const current = event.type === 'reset' ? generation + 1 : generation;
    const written = writeEvent(watched);
    for (const one of watched.rejected ?? []) aside.add(one, current, isStaging);
    const isReleased = isStaging && hold?.kind !== 'keep' && (event.type === 'live' || hold?.kind === 'release');
    if (isReleased) {
      clear.run();
      release.run();
      clearStaged.run();
    }
    const isComplete = isReleased || (event.type === 'live' && !isStaging);
    if (isComplete && rejected.length > 0) aside.removeOlder(current);
    const row = {
      ...cursor,
      generation: current,
      // The old records are served until the new ones are complete. Without old ones, the new ones are written in place.
      isStaging: event.type === 'reset' ? (anyRecord.get() ?? 0) : isStaging && !isReleased ? 1 : 0,
      liveAt: now ?? liveAt,
      scope,
      ...(hold?.kind === 'keep' ? { heldEpoch: cursor.epoch, heldForMs: hold.forMs } : isReleased ? NOT_HELD : held),
    };
    move.run(row);
    return { row, written };
  });

  return {
    load(): SavedReplica {
      const guilds = db.prepare<[], GuildId>(SQL.guilds).pluck().all();
      const at = position.get();
      const isOurs = at?.scope === scope;
      return {
        guilds,
        staged: isStaging ? db.prepare<[], GuildId>(SQL.staged).pluck().all() : undefined,
        cursor: isOurs && rejected.length === 0 ? { epoch: at.epoch, revision: at.revision } : undefined,
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
      const { row, written } = write(watched, now, hold);
      ({ generation, liveAt } = row);
      isStaging = row.isStaging === 1;
      held = { heldEpoch: row.heldEpoch, heldForMs: row.heldForMs };
      if (rejected.length > 0 || watched.rejected !== undefined) rejected = aside.load();
      return written;
    },
    close,
  };
}
