import {
  type Conflict,
  type DeclaredSettings,
  type Difference,
  type HistoryEntry,
  type HistoryInput,
  inEffect,
  isSameValue,
  LIMITS,
  ProblemError,
  type SkippedField,
  type Snowflake,
} from '@guild-settings/contract';
import type { GuildAccess } from '../auth/guild-access.ts';
import type { LoggedChange } from '../store/guild-store.ts';
import { type ChangeLog, entryOf, kindOf, type LogReader, newestRevision, shownField, stateAt } from './change-log.ts';
import type { WritePermission } from './command.ts';
import { type Computation, changeAt, restoreOf, undoOf, withComputed } from './computed-changes.ts';
import type { GuildService } from './guild-service.ts';
import type { GuildAtRevision, Records } from './record.ts';

const OTHER_EPOCH = 'The revision was made in another epoch: the database was restored from a backup since.';

/** Maximum lines that one request examines. With a filter that matches few of them, the returned part is short. */
const MAX_EXAMINED = 10_000;

const MAX_CONFLICT_LINES = 250;

/** Characters of JSON per part: a part ends after the entry that exceeds them. */
const PART_CHARACTERS = 512 * 1_024;

/** Maximum number of changes returned together, and maximum characters of their JSON. */
const MAX_CHANGES_BETWEEN = 1_000;
const MAX_CHARACTERS_BETWEEN = 2 * PART_CHARACTERS;

/** Lines of the first query for the changes between two revisions: usually there is one. */
const FIRST_LINES_BETWEEN = 16;

export type HistoryQuery = Omit<HistoryInput, 'guild'>;

export interface HistoryPart {
  readonly entries: HistoryEntry[];
  readonly nextBefore: number | undefined;
}

export interface ChangesBetween {
  /** Revision of an erasure: the guild has the defaults from there on. */
  readonly erasure?: number;
  readonly entries: readonly LoggedChange[];
}

export interface Restored extends GuildAtRevision {
  /** The settings that a restore has skipped; absent: none. */
  readonly skipped?: readonly SkippedField[];
}

export interface PastRecord extends GuildAtRevision {
  /** True: the record never changes. False: the default of a setting that was never changed may change later. */
  readonly isFinal: boolean;
}

export interface RevisionRange {
  readonly after: number;
  readonly upTo: number;
}

export class HistoryService {
  readonly #log: ChangeLog;
  readonly #guilds: GuildService;
  readonly #records: Records;

  constructor(log: ChangeLog, guilds: GuildService, records: Records) {
    this.#log = log;
    this.#guilds = guilds;
    this.#records = records;
  }

  /** Returns a part of the history of a guild. Changes made between two requests do not shift the other parts. */
  async read({ id }: GuildAccess, query: HistoryQuery, reader: LogReader): Promise<HistoryPart> {
    const { before = Number.MAX_SAFE_INTEGER, limit = LIMITS.historyEntriesDefault } = query;
    const after = Math.max(query.after ?? 0, await this.#log.erasedUpTo(id));
    const entries: HistoryEntry[] = [];
    let examined = 0;
    let characters = 0;
    let nextBefore: number | undefined;
    const range = { guildId: id, after, before, order: 'newest-first' } as const;
    // The limit is one entry more than the part, which shows if there is a next part.
    await this.#log.walk({ reader, ...range, expected: limit + 1 }, (lines) => {
      for (const line of lines) {
        examined += 1;
        if (!isWanted(line, query, this.#log.settings)) continue;
        if (entries.length === limit || characters > PART_CHARACTERS) nextBefore = entries.at(-1)?.revision;
        if (nextBefore !== undefined) return true;
        const entry = entryOf(line, this.#log.settings);
        entries.push(entry);
        characters += JSON.stringify(entry).length;
      }
      if (examined >= MAX_EXAMINED) nextBefore = lines.at(-1)?.revision;
      return nextBefore !== undefined;
    });
    return { entries, nextBefore };
  }

  /**
   * Returns which of these people are authors in the history of a guild, in the order of the ids. Only the newest
   * changes are examined if there are very many.
   */
  async authorsAmong({ id }: GuildAccess, userIds: readonly Snowflake[], reader: LogReader): Promise<Snowflake[]> {
    const wanted = new Set(userIds);
    const found = new Set<Snowflake>();
    const after = await this.#log.erasedUpTo(id);
    const range = { guildId: id, after, before: Number.MAX_SAFE_INTEGER, order: 'newest-first' } as const;
    let examined = 0;
    await this.#log.walk({ reader, ...range }, (lines) => {
      for (const { actor } of lines) if (actor.kind === 'user' && wanted.has(actor.id)) found.add(actor.id);
      examined += lines.length;
      return found.size === wanted.size || examined >= MAX_EXAMINED;
    });
    return [...wanted].filter((userId) => found.has(userId));
  }

  async readEntry(managed: GuildAccess, revision: number): Promise<HistoryEntry> {
    return entryOf(await changeAt(this.#log, managed.id, revision), this.#log.settings);
  }

  /**
   * Returns the changes of a guild between two revisions, oldest first, and the revision of an erasure before them;
   * undefined: there are too many.
   */
  async changesBetween(
    { id }: GuildAccess,
    { after, upTo }: RevisionRange,
    reader: LogReader,
  ): Promise<ChangesBetween | undefined> {
    const erased = await this.#log.erasedUpTo(id);
    const range = { guildId: id, after: Math.max(after, erased), before: upTo + 1, order: 'oldest-first' } as const;
    const entries: LoggedChange[] = [];
    let characters = 0;
    const areTooMany = () => entries.length > MAX_CHANGES_BETWEEN || characters > MAX_CHARACTERS_BETWEEN;
    await this.#log.walk({ reader, ...range, expected: FIRST_LINES_BETWEEN }, (lines) => {
      entries.push(...lines);
      for (const line of lines) characters += JSON.stringify(entryOf(line, this.#log.settings)).length;
      return areTooMany();
    });
    if (areTooMany()) return undefined;
    return erased > after && erased <= upTo ? { erasure: erased, entries } : { entries };
  }

  async revisionAt({ id }: GuildAccess, at: number, reader: LogReader): Promise<number> {
    const after = await this.#log.erasedUpTo(id);
    const { newest } = await this.#log.store.readLogBounds();
    const revision = await newestRevision(this.#log, { id, after, upTo: at }, reader);
    if (revision === undefined || at > newest) throw new ProblemError('revision-unknown');
    return revision;
  }

  /** Returns the mark of the epoch in which a revision was made; empty for revision 0. */
  async epochOf(revision: number): Promise<string> {
    return revision === 0 ? '' : this.#log.store.epochOf(revision);
  }

  /**
   * Returns the record as it was at a revision.
   * @param at.epoch the mark of the epoch in which the revision was made; undefined: any
   * @throws ProblemError revision-unknown
   */
  async readAt(
    { id, profile }: GuildAccess,
    at: { readonly revision: number; readonly epoch?: string | undefined },
    reader: LogReader,
  ): Promise<PastRecord> {
    const isOther = at.epoch !== undefined && at.epoch !== (await this.epochOf(at.revision));
    if (isOther) throw new ProblemError('revision-unknown', { detail: OTHER_EPOCH });
    const { state, shown, revision } = await stateAt(this.#log, id, at.revision, reader);
    const { settings } = this.#records;
    return {
      guild: this.#records.of(id, { ...state, settings: shown }, profile),
      revision,
      epoch: await this.epochOf(revision),
      isFinal:
        settings.tag === undefined ||
        settings.all.every((setting) => {
          const value = shown[setting.field];
          return value !== undefined && isSameValue(inEffect(setting, value), value);
        }),
    };
  }

  /**
   * Returns the fields of a patch that were changed after a revision, each with its newest change. Only the newest
   * changes are examined if there are very many.
   * @param read.revision the revision that the caller had read
   */
  async conflictsSince(
    { id }: GuildAccess,
    { revision, fields }: { readonly revision: number; readonly fields: readonly string[] },
    reader: LogReader,
  ): Promise<Conflict[]> {
    const { settings } = this.#log;
    const wanted = new Set(fields.map((field) => storedField(field, settings)));
    const conflicts = new Map<string, Conflict>();
    let examined = 0;
    const after = Math.max(revision, await this.#log.erasedUpTo(id));
    const since = { guildId: id, after, before: Number.MAX_SAFE_INTEGER, order: 'newest-first' } as const;
    await this.#log.walk({ reader, ...since }, (lines) => {
      for (const line of lines) {
        const { revision: changedAt, at, actor } = entryOf(line, settings);
        for (const [field, to] of Object.entries(line.after)) {
          if (!wanted.has(field)) continue;
          const conflict = conflicts.get(field);
          // The caller had read the value before the oldest of these changes.
          const from = line.before[field];
          if (conflict !== undefined) conflict.from = from;
          else conflicts.set(field, { field: shownField(field, settings), to, revision: changedAt, at, actor, from });
        }
      }
      examined += lines.length;
      return examined >= MAX_CONFLICT_LINES;
    });
    return [...conflicts.values()];
  }

  /**
   * Restores the fields of a change to their values before it, as a new change.
   * @throws ProblemError revision-unknown, not-undoable, later-change, and the errors of {@link GuildService.update}
   */
  undo(permission: WritePermission, computation: Computation): Promise<GuildAtRevision | Difference> {
    return this.#make(permission, computation, undoOf);
  }

  /**
   * Restores all settings to their state at a revision, as a new change.
   * @throws ProblemError revision-unknown, and the errors of {@link GuildService.update}
   */
  restore(permission: WritePermission, computation: Computation): Promise<Restored | Difference> {
    return this.#make(permission, computation, restoreOf);
  }

  #make(permission: WritePermission, computation: Computation, compute: typeof undoOf) {
    return withComputed<Restored | Difference>(
      (previous) => compute({ log: this.#log, records: this.#records }, permission.guild, computation, previous),
      async ({ patch, options, skipped }) => ({
        ...(await this.#guilds[computation.isPreview ? 'preview' : 'update'](permission, patch, options)),
        ...(skipped && { skipped: [...skipped] }),
      }),
    );
  }
}

/** Returns the storage name of a field. */
function storedField(field: string, { byField }: DeclaredSettings): string {
  return byField.get(field)?.field ?? field;
}

function isWanted({ actor, after, origin }: LoggedChange, query: HistoryQuery, settings: DeclaredSettings): boolean {
  return (
    (query.actor === undefined || query.actor === actor.id) &&
    (query.field === undefined || Object.hasOwn(after, storedField(query.field, settings))) &&
    (query.kind === undefined || query.kind === kindOf({ origin, after }))
  );
}
