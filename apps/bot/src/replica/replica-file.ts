import type { WatchedEvent } from '@guild-settings/client';
import type { Cursor, Guild, GuildId, WatchedGuild } from '@guild-settings/contract';
import { openBotDatabase } from '../database/database.ts';
import type * as schema from '../database/schema.ts';

/** What a replica's file holds, without the records themselves: to read them all would take most of a bot's start. */
export interface SavedReplica {
  readonly guilds: readonly GuildId[];
  /** Those of them that came after the last reset. The others serve until the replica is live. */
  readonly current: readonly GuildId[];
  readonly cursor: Cursor | undefined;
  /** When it was last up to date, in milliseconds since 1970. */
  readonly liveAt: number | undefined;
}

/** The file that a replica boots from. */
export interface ReplicaFile {
  load(): SavedReplica;
  /** A guild that it holds. */
  read(guildId: GuildId): Guild;
  /**
   * Writes an event and the cursor after it in one transaction.
   * @param liveAt the replica is up to date then
   * @returns the records that were written: an old one does not undo a newer one
   */
  apply(watched: WatchedEvent, liveAt: number | undefined): readonly Guild[];
  close(): void;
}

type Position = typeof schema.position.$inferSelect;

/** In SQL and not through drizzle: with every guild at once, what drizzle does for each row is felt. */
const SQL = {
  position: `SELECT epoch, revision, generation, complete, live_at AS "liveAt", scope FROM position`,
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
  move: `
    INSERT INTO position (id, epoch, revision, generation, complete, live_at, scope)
    VALUES (1, :epoch, :revision, :generation, :complete, :liveAt, :scope)
    ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch, revision = excluded.revision,
      generation = excluded.generation, complete = excluded.complete, live_at = excluded.live_at, scope = excluded.scope`,
} as const;

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
  const record = db.prepare<[GuildId], string>(SQL.record).pluck();
  const put = db.prepare<[GuildId, number, string, number]>(SQL.put);
  const remove = db.prepare<[GuildId]>(SQL.remove);
  const removeOlder = db.prepare<[number]>(SQL.removeOlder);
  const move = db.prepare<[Omit<Position, 'id'>]>(SQL.move);

  function write({ event }: WatchedEvent, ofGeneration: number): readonly Guild[] {
    const isPut = ({ revision, guild }: WatchedGuild) =>
      put.run(guild.id, revision, JSON.stringify(guild satisfies Guild), ofGeneration).changes > 0;
    switch (event.type) {
      case 'guild':
        return isPut(event) ? [event.guild] : [];
      case 'guilds':
        return event.guilds.filter(isPut).map(({ guild }) => guild);
      case 'removed':
        remove.run(event.guild);
        return [];
      case 'live':
        // To look for older ones goes through the whole file.
        if (complete !== ofGeneration) removeOlder.run(ofGeneration);
        return [];
      case 'reset':
      case 'bookmark':
        return [];
    }
  }

  const apply = db.transaction((watched: WatchedEvent, now: number | undefined) => {
    // The old records serve until all the new ones are here.
    const current = watched.event.type === 'reset' ? generation + 1 : generation;
    const written = write(watched, current);
    const row = {
      ...watched.cursor,
      generation: current,
      complete: watched.event.type === 'live' ? current : complete,
      liveAt: now ?? liveAt,
      scope,
    };
    move.run(row);
    return { row, written };
  });

  return {
    load() {
      const guilds = db.prepare<[], GuildId>(SQL.guilds).pluck().all();
      const current = db.prepare<[number], GuildId>(SQL.current).pluck();
      const at = position.get();
      const isOurs = at?.scope === scope;
      return {
        guilds,
        current: complete === generation ? guilds : current.all(generation),
        cursor: isOurs ? { epoch: at.epoch, revision: at.revision } : undefined,
        liveAt: isOurs ? (at.liveAt ?? undefined) : undefined,
      };
    },
    read(guildId) {
      const json = record.get(guildId);
      if (json === undefined) throw new Error(`The bot's file has lost guild ${guildId}`);
      return JSON.parse(json) as Guild;
    },
    apply(watched, now) {
      const { row, written } = apply(watched, now);
      ({ generation, complete, liveAt } = row);
      return written;
    },
    close: () => db.close(),
  };
}
