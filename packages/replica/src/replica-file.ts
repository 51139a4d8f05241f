import type { WatchedEvent } from '@guild-settings/client';
import type { Cursor, GuildId, RejectedRecord, WatchedGuild } from '@guild-settings/contract';
import { DeclaredSettings, type SetValues, SPECIFIED_SETTINGS } from '@guild-settings/contract/settings';
import { openDatabase, placeholders } from './database.ts';
import { openRejectedRecords } from './rejected-records.ts';
import { resetLosses } from './reset-losses.ts';
import { position, records, staged } from './schema.ts';
import { setValuesOf } from './set-values.ts';
import { storedDeclaration, type TaggedDeclaration } from './stored-declaration.ts';
import { storedRecords } from './stored-records.ts';
import { readWatcherId } from './watcher-id.ts';

/** The content of a replica's file, without the records: loading them all would take most of a bot's start. */
export interface SavedReplica {
  readonly guilds: readonly GuildId[];
  /** Guilds with a staged record of after the last reset; `undefined`: no records are staged. */
  readonly staged: readonly GuildId[] | undefined;
  /** The settings that the service declares; `undefined`: it was never connected. */
  readonly declared: DeclaredSettings | undefined;
  /** `undefined`: all records are fetched again, also because some could not be read. */
  readonly cursor: Cursor | undefined;
  /** The last time when the replica was up to date, in milliseconds since 1970. */
  readonly liveAt: number | undefined;
}

/**
 * The handling of staged records: hold them back, and for how long they have been, or put them in place at any event.
 */
export type Hold = { readonly kind: 'keep'; readonly forMs: number } | { readonly kind: 'release' };

const NOT_HELD = { heldEpoch: null, heldForMs: 0 } as const;

export type ReplicaFile = ReturnType<typeof openReplicaFile>;

/**
 * Opens the file of a replica.
 * @param scope names the followed guilds: the cursor of another scope is ignored
 * @throws FileInUseError when another process has the file open
 */
export function openReplicaFile(path: string, scope: string) {
  const { db, close } = openDatabase(path);
  const current = storedRecords(db, records);
  const incoming = storedRecords(db, staged);
  const release = db.insert(records).select(db.select().from(staged)).prepare();
  const leave = db.delete(position).prepare();
  const move = db.insert(position).values(placeholders(position)).prepare();
  const aside = openRejectedRecords(db);
  const ofService = storedDeclaration(db);
  // All change after a commit only, like the replica's memory.
  let at = db.select().from(position).get();
  let rejected = aside.load();
  let declared = ofService.load();

  // The file of another scope was never up to date for these guilds.
  const ours = () => (at?.scope === scope ? at : undefined);

  function writeEvent({ event }: WatchedEvent): readonly GuildId[] {
    const target = at?.isStaging ? incoming : current;
    const isPut = (one: WatchedGuild) => {
      const { changes } = target.put.run({
        guildId: one.guild.id,
        revision: one.revision,
        record: JSON.stringify(setValuesOf(one)),
        isSparse: one.unset !== undefined,
      });
      if (rejected.length > 0) aside.remove(one.guild.id);
      return changes > 0;
    };
    switch (event.type) {
      case 'guild':
        return isPut(event) ? [event.guild.id] : [];
      case 'guilds':
        return event.guilds.filter(isPut).map(({ guild }) => guild.id);
      case 'removed':
        target.remove.run({ guildId: event.guild });
        if (rejected.length > 0) aside.remove(event.guild);
        return [];
      case 'reset':
        incoming.clear.run();
        return [];
      case 'declaration':
      case 'live':
      case 'bookmark':
        return [];
    }
  }

  function write(watched: WatchedEvent, now: number | undefined, hold: Hold | undefined) {
    const { cursor, event } = watched;
    const { isStaging = false, heldEpoch = null, heldForMs = 0 } = at ?? {};
    const generation = (at?.generation ?? 0) + (event.type === 'reset' ? 1 : 0);
    const written = writeEvent(watched);
    for (const one of watched.rejected ?? []) aside.add(one, generation, isStaging);
    const isReleased = isStaging && hold?.kind !== 'keep' && (event.type === 'live' || hold?.kind === 'release');
    if (isReleased) {
      current.clear.run();
      release.run();
      incoming.clear.run();
    }
    const isComplete = isReleased || (event.type === 'live' && !isStaging);
    if (isComplete && rejected.length > 0) aside.removeOlder(generation);
    const held = isReleased ? NOT_HELD : { heldEpoch, heldForMs };
    const row: typeof position.$inferSelect = {
      ...cursor,
      generation,
      // The old records are served until the new ones are complete. Without old ones, the new ones are written in place.
      isStaging: event.type === 'reset' ? current.any.get() !== undefined : isStaging && !isReleased,
      liveAt: now ?? ours()?.liveAt ?? null,
      scope,
      ...(hold?.kind === 'keep' ? { heldEpoch: cursor.epoch, heldForMs: hold.forMs } : held),
    };
    leave.run();
    move.run(row);
    return { row, written };
  }

  return {
    load(): SavedReplica {
      const known = ours();
      const isResumed = known !== undefined && rejected.length === 0;
      return {
        guilds: current.guildIds(),
        staged: at?.isStaging ? incoming.guildIds() : undefined,
        declared: declared ?? (at === undefined ? undefined : SPECIFIED_SETTINGS),
        cursor: isResumed && known.epoch !== null ? { epoch: known.epoch, revision: known.revision } : undefined,
        liveAt: known?.liveAt ?? undefined,
      };
    },
    /** Returns what is set of a stored guild. */
    read(guildId: GuildId): SetValues {
      const stored = current.record.get({ guildId });
      if (stored === undefined)
        throw new Error(`Expected a record of guild ${guildId} in the replica's file, found none`);
      return JSON.parse(stored.record);
    },
    /** The records that could not be read, by guild. */
    get rejected(): readonly RejectedRecord[] {
      return rejected;
    },
    /** The id by which the service knows the process of this file. */
    watcherId: readWatcherId(db),
    /** True while records after a reset wait to replace the others. */
    get isStaging() {
      return at?.isStaging ?? false;
    },
    /** Returns for how long the service has sent an epoch that is held back, in milliseconds. */
    heldForMs: (epoch: string) => (at?.heldEpoch === epoch ? at.heldForMs : 0),
    /** Counts what would be lost if the staged records replaced the others. */
    losses: (isFollowed: (guildId: GuildId) => boolean) => resetLosses(db, declared ?? SPECIFIED_SETTINGS, isFollowed),
    /**
     * Writes what the service declares.
     * @returns the settings, and whether all records have to be fetched again, because it is not known what is set
     */
    declare(sent: TaggedDeclaration | undefined) {
      const isRefetched = db.transaction(() => {
        const isFirst = declared === undefined && sent !== undefined;
        ofService.write(sent);
        const isAnyWhole = isFirst && (current.anyWhole.get() ?? incoming.anyWhole.get()) !== undefined;
        if (isAnyWhole) db.update(position).set({ epoch: null }).run();
        return isAnyWhole;
      });
      declared = sent && new DeclaredSettings(sent.declaration, sent.tag);
      if (at !== undefined && isRefetched) at = { ...at, epoch: null };
      return { declared: declared ?? SPECIFIED_SETTINGS, isRefetched };
    },
    /**
     * Writes an event and the cursor after it in one transaction.
     * @param now the time, if the replica is up to date with this event
     * @param hold overrides when staged records replace the others
     * @returns the guilds whose records were written: an older one does not overwrite a newer one
     */
    apply(watched: WatchedEvent, now: number | undefined, hold?: Hold): readonly GuildId[] {
      const { row, written } = db.transaction(() => write(watched, now, hold));
      at = row;
      if (rejected.length > 0 || watched.rejected !== undefined) rejected = aside.load();
      return written;
    },
    close,
  };
}
