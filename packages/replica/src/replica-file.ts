import type { WatchedEvent } from '@guild-settings/client';
import type { GuildId, RejectedRecord, WatchedGuild } from '@guild-settings/contract';
import { DeclaredSettings, type SetValues, SPECIFIED_SETTINGS } from '@guild-settings/contract/settings';
import { lockFile } from '@guild-settings/runtime/sqlite-file';
import { DamagedFileError, moveAside } from './damaged-file.ts';
import { openTables, readWatcherId, resetLosses } from './database.ts';
import type { TaggedDeclaration } from './declaration.ts';
import { notify } from './listeners.ts';
import { position } from './schema.ts';

/** The handling of staged records: hold them back, with the time so far, or apply them at any event. */
export type Hold = { readonly kind: 'keep'; readonly forMs: number } | { readonly kind: 'release' };

const NOT_HELD = { heldEpoch: null, heldForMs: 0 } as const;

export type ReplicaFile = ReturnType<typeof openReplicaFile>;

interface ReplicaFileOptions {
  /** `replace`: a damaged file is moved aside and a new one created. `throw`: it is not touched. */
  readonly damagedFile?: 'replace' | 'throw' | undefined;
  /** Called after a damaged file was moved aside, with its new path. */
  readonly onReplaced?: ((movedTo: string) => void) | undefined;
}

/**
 * Opens the file of a replica, and locks it: two processes that follow different guilds would delete each other's
 * records.
 * @param scope identifies the followed guilds: the cursor of another scope is ignored
 * @throws FileInUseError when another process has the file open
 * @throws DamagedFileError when it is damaged, and must not be replaced or cannot be moved
 */
export function openReplicaFile(path: string, scope: string, options: ReplicaFileOptions = {}) {
  const { damagedFile = 'replace', onReplaced } = options;
  const unlock = lockFile(path);
  let tables: ReturnType<typeof openTables> | undefined;
  // All change only after a commit, like the replica's memory.
  let at: typeof position.$inferSelect | undefined;
  let rejected: readonly RejectedRecord[] = [];
  let declared: DeclaredSettings | undefined;
  let watcherId: string | undefined;
  /** True: the file may lack records that are in memory. */
  let isReplaced = false;

  function inTables(): NonNullable<typeof tables> {
    if (tables === undefined) throw new Error(`Expected the file ${path} to be open`);
    return tables;
  }

  function open(): void {
    tables = openTables(path);
    const { db, aside, ofService } = tables;
    at = db.select().from(position).get();
    rejected = aside.load();
    declared = ofService.load();
    watcherId = readWatcherId(db, watcherId);
  }

  /**
   * Moves the file aside and creates a new one with the declaration of the service. After a failure it can be called
   * again.
   */
  function replace(damage: unknown): void {
    const known = declared;
    tables?.close();
    tables = undefined;
    let movedTo: string;
    try {
      movedTo = moveAside(path);
    } catch (error) {
      throw damage instanceof DamagedFileError ? damage : error;
    }
    isReplaced = true;
    open();
    declared = known;
    const { tag, declaration } = known ?? {};
    if (tag !== undefined && declaration !== undefined) inTables().ofService.write({ tag, declaration });
    notify(onReplaced, movedTo);
  }

  /** Calls a function. @throws DamagedFileError */
  function guarded<Result>(call: () => Result): Result {
    try {
      return call();
    } catch (error) {
      throw DamagedFileError.of(error, path);
    }
  }

  /** Calls a function at the start, and again after a damaged file was replaced. */
  function recovered<Result>(call: () => Result): Result {
    try {
      return guarded(call);
    } catch (error) {
      if (damagedFile === 'throw' || !(error instanceof DamagedFileError)) throw error;
      replace(error);
      return guarded(call);
    }
  }

  function close(): void {
    tables?.close();
    unlock();
  }

  // A file of another scope was never up to date for these guilds.
  const ours = () => (at?.scope === scope ? at : undefined);

  function writeEvent({ event }: WatchedEvent): readonly GuildId[] {
    const { current, incoming, aside } = inTables();
    const target = at?.isStaging ? incoming : current;
    const isPut = (one: WatchedGuild) => {
      if (rejected.length > 0) aside.remove(one.guild.id);
      return target.put(one);
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
    const { current, incoming, release, aside, leave, move } = inTables();
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
      // The old records are served until the new ones are complete. Without old ones, the new ones are written in
      // place.
      isStaging: event.type === 'reset' ? current.any.get() !== undefined : isStaging && !isReleased,
      liveAt: now ?? ours()?.liveAt ?? null,
      scope,
      ...(hold?.kind === 'keep' ? { heldEpoch: cursor.epoch, heldForMs: hold.forMs } : held),
    };
    leave.run();
    move.run(row);
    return { row, written };
  }

  /** Returns the content of the file without the records, because loading them all would take most of a bot's start. */
  function load() {
    const { current, incoming } = inTables();
    const known = ours();
    const isResumed = known !== undefined && rejected.length === 0;
    return {
      guilds: current.guildIds(),
      /** Guilds with a staged record from after the last reset; undefined: none are staged. */
      staged: at?.isStaging ? incoming.guildIds() : undefined,
      /** The settings declared by the service; undefined: never connected. */
      declared: declared ?? (at === undefined ? undefined : SPECIFIED_SETTINGS),
      /** Undefined: all records are fetched again, possibly because some could not be read. */
      cursor: isResumed && known.epoch !== null ? { epoch: known.epoch, revision: known.revision } : undefined,
      /** The last time when the replica was up to date, in milliseconds since 1970. */
      liveAt: known?.liveAt ?? undefined,
    };
  }

  /** Calls a function during the start, and releases the lock if it fails. */
  function started<Result>(call: () => Result): Result {
    try {
      return recovered(call);
    } catch (error) {
      close();
      throw error;
    }
  }

  started(open);
  return {
    load: () => started(load),
    /** Moves the file aside and creates a new one. After a failure it can be called again. @throws DamagedFileError */
    replace,
    /** Returns the set values of a stored guild. @throws DamagedFileError */
    read(guildId: GuildId): SetValues {
      const stored = guarded(() => inTables().current.record.get({ guildId }));
      if (stored === undefined && isReplaced) return {};
      if (stored === undefined)
        throw new Error(`Expected a record of guild ${guildId} in the replica's file, found none`);
      try {
        return JSON.parse(stored.record);
      } catch (error) {
        throw new DamagedFileError(path, error as Error);
      }
    },
    /** The records that could not be read, by guild. */
    get rejected(): readonly RejectedRecord[] {
      return rejected;
    },
    /** The id with which the service identifies the process of this file. */
    get watcherId(): string {
      return watcherId ?? '';
    },
    /** True while records from after a reset wait to replace the others. */
    get isStaging() {
      return at?.isStaging ?? false;
    },
    /** Returns how long the service has sent an epoch that is held back, in milliseconds. */
    heldForMs: (epoch: string) => (at?.heldEpoch === epoch ? at.heldForMs : 0),
    /** Counts the losses if the staged records replaced the others. */
    losses: (isFollowed: (guildId: GuildId) => boolean) =>
      guarded(() => resetLosses(inTables().db, declared ?? SPECIFIED_SETTINGS, isFollowed)),
    /**
     * Writes the declaration of the service.
     * @returns the settings, and if all records have to be fetched again because it is unknown which values are set
     */
    declare(sent: TaggedDeclaration | undefined) {
      const { db, current, incoming, ofService } = inTables();
      const isRefetched = guarded(() =>
        db.transaction(() => {
          const isFirst = declared === undefined && sent !== undefined;
          ofService.write(sent);
          const isAnyWhole = isFirst && (current.anyWhole.get() ?? incoming.anyWhole.get()) !== undefined;
          if (isAnyWhole) db.update(position).set({ epoch: null }).run();
          return isAnyWhole;
        }),
      );
      declared = sent && new DeclaredSettings(sent.declaration, sent.tag);
      if (at !== undefined && isRefetched) at = { ...at, epoch: null };
      return { declared: declared ?? SPECIFIED_SETTINGS, isRefetched };
    },
    /**
     * Writes an event and the cursor after it in one transaction.
     * @param now the present time if this event makes the replica up to date
     * @param hold overrides if staged records replace the others
     * @returns the guilds whose records were written: an older one does not overwrite a newer one
     */
    apply(watched: WatchedEvent, now: number | undefined, hold?: Hold): readonly GuildId[] {
      const { db, aside } = inTables();
      const { row, written } = guarded(() => db.transaction(() => write(watched, now, hold)));
      at = row;
      if (rejected.length > 0 || watched.rejected !== undefined) rejected = aside.load();
      return written;
    },
    close,
  };
}
