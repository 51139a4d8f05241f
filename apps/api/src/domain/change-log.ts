import {
  type ChangeKind,
  type DeclaredSettings,
  type FieldChange,
  type FieldChanges,
  type GuildId,
  type HistoryEntry,
  inEffect,
  ProblemError,
  type SetValues,
} from '@guild-settings/contract';
import { InProgress } from '../auth/limits.ts';
import type { Change, GuildState, GuildStore, HistoryRange, HistoryStore, LoggedChange } from '../store/guild-store.ts';
import { LogTurns } from './log-turns.ts';
import { DEFAULT_STATE } from './record.ts';

/** Lines that a walk may read before it counts towards the limit of its reader, unless it expects more. */
const FIRST_LINES = 64;

/**
 * Maximum lines that a walk through the log examines. They take a second, in slices between which requests are handled.
 */
const MAX_LINES = 100_000;

const TOO_MANY = 'You already have three requests that read long histories. Wait for their responses, then retry.';

export interface LogReader {
  /** The person, who may have few walks running at a time; undefined: the application. */
  readonly userId: string | undefined;
  isGone(): boolean;
}

interface LogWalk extends Omit<HistoryRange, 'limit'> {
  readonly reader: LogReader;
  /** Lines expected to be needed: the first part has no more, and they do not count towards the limit. */
  readonly expected?: number;
}

type VisitLines = (lines: readonly ReadChange[]) => boolean;

/** A change with its values as they would be in effect now. */
interface ReadChange extends LoggedChange {
  /** The former values as they are stored; absent: the same. */
  readonly storedBefore?: LoggedChange['before'];
}

/** The change log of the service, with the limits of its readers. */
export class ChangeLog {
  readonly store: Pick<GuildStore, 'read'> & HistoryStore;
  readonly settings: DeclaredSettings;
  readonly #turns = new LogTurns();
  /**
   * Walks that read beyond their expected lines, up to thousands. Streams count as the application: many of them resume
   * at once after a restart.
   */
  readonly #walks = new InProgress({
    perPerson: 3,
    refusal: () => new ProblemError('rate-limited', { retryAfter: 1, detail: TOO_MANY }),
  });

  constructor(store: ChangeLog['store'], settings: DeclaredSettings) {
    this.store = store;
    this.settings = settings;
  }

  /** Reads few lines, in turn with the walks. Values are as they would be in effect now. */
  async lines(range: HistoryRange): Promise<readonly LoggedChange[]> {
    const turn = this.#turns.take(range.guildId);
    if (turn !== undefined) await turn;
    return this.#read(range);
  }

  async #read(range: HistoryRange): Promise<readonly ReadChange[]> {
    const lines = await this.store.readHistory(range);
    return this.settings.custom === undefined ? lines : lines.map((line) => widened(line, this.settings));
  }

  /** Returns the revision up to which the changes of a guild are not part of its history, because they were erased. */
  async erasedUpTo(guildId: GuildId): Promise<number> {
    return (await this.store.readErasure(guildId))?.revision ?? 0;
  }

  /**
   * Visits the lines of a range, part by part, until the end or until a visit returns true. Other requests and walks
   * run between two parts. A part is not retained while the walk waits.
   * @throws ProblemError revision-unknown when there are too many; rate-limited when the reader has three walks running
   * beyond their expected lines; request-timeout when the reader has gone
   */
  async walk({ reader, expected = FIRST_LINES, ...range }: LogWalk, visit: VisitLines): Promise<void> {
    let rest: Omit<HistoryRange, 'limit'> = range;
    let end: (() => void) | undefined;
    try {
      for (let examined = 0; examined < MAX_LINES; ) {
        const turn = this.#turns.take(range.guildId);
        // An embedded store reads synchronously: the next walk then finds the time used up.
        if (turn !== undefined) await turn;
        if (reader.isGone()) throw new ProblemError('request-timeout', { detail: 'The connection was closed.' });
        const limit = Math.min(this.#turns.lines, examined === 0 ? expected : MAX_LINES);
        const { count, last } = await this.#visitPart({ ...rest, limit }, visit);
        if (last === undefined || count < limit) return;
        rest = { ...rest, [rest.order === 'oldest-first' ? 'after' : 'before']: last };
        examined += count;
        if (examined >= Math.max(expected, FIRST_LINES)) end ??= this.#walks.begin(reader.userId);
        await new Promise(setImmediate);
      }
    } finally {
      end?.();
    }
    throw new ProblemError('revision-unknown', {
      detail: `Expected a revision with at most ${MAX_LINES} later changes of the guild. Use a newer one.`,
    });
  }

  /**
   * Reads and visits one part. @returns its number of lines, and the revision from which the walk continues; undefined:
   * it is complete
   */
  async #visitPart(range: HistoryRange, visit: VisitLines) {
    const startedAtMs = performance.now();
    const lines = await this.#read(range);
    this.#turns.noteQuery({ lines: lines.length, ms: performance.now() - startedAtMs });
    return { count: lines.length, last: visit(lines) ? undefined : lines.at(-1)?.revision };
  }
}

/**
 * Returns a change with its values as they would be in effect now; values that do not have the type of their setting
 * stay as they are.
 */
function widened(change: LoggedChange, { byField }: DeclaredSettings): ReadChange {
  const read = (values: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries(values).map(([field, value]) => {
        const setting = byField.get(field);
        return [field, (setting && inEffect(setting, value)) ?? value];
      }),
    );
  return { ...change, before: read(change.before), after: read(change.after), storedBefore: change.before };
}

/** Returns the changes of fields, by their currently declared names. */
export function fieldChanges(
  change: Pick<Change, 'before' | 'after'> | undefined,
  settings: DeclaredSettings,
): FieldChanges {
  const changes: Record<string, FieldChange> = {};
  if (change === undefined) return changes;
  const { before, after } = change;
  for (const field of Object.keys(after)) {
    changes[shownField(field, settings)] = { from: before[field], to: after[field] };
  }
  return changes;
}

/** Returns the currently declared name of a field. */
export function shownField(field: string, { byField }: DeclaredSettings): string {
  return byField.get(field)?.shownField ?? field;
}

export function kindOf({ origin, after }: Pick<Change, 'origin' | 'after'>): ChangeKind {
  if (origin === 'platform') return 'platform';
  return isOfAccess({ after }) ? 'access' : 'settings';
}

export function isOfAccess({ after }: Pick<Change, 'after'>): boolean {
  return Object.hasOwn(after, 'access');
}

export function entryOf(change: LoggedChange, settings: DeclaredSettings): HistoryEntry {
  const { revision, at, actor, origin, reason, target, undoneBy } = change;
  return {
    revision,
    at: new Date(at).toISOString(),
    kind: kindOf(change),
    actor: { kind: actor.kind, id: actor.id === '' ? null : actor.id },
    origin,
    reason,
    changes: fieldChanges(change, settings),
    ...(origin === 'undo' && target != null && { undoes: target }),
    ...(origin === 'restore' && target != null && { restores: target }),
    ...(undoneBy !== null && { undoneBy }),
  };
}

interface PastState {
  readonly state: GuildState;
  /**
   * The set values as they are stored, and the effective values of the fields that followed their defaults, as far as the log contains
   * them.
   */
  readonly shown: SetValues;
  readonly revision: number;
  readonly computedAt: number;
}

/**
 * Returns the state of a guild at a revision: the current state with all later changes reverted. The revision may
 * belong to another guild: it is a point in time.
 * @throws ProblemError revision-unknown when it is in the future, or when a later change is no longer kept
 */
export async function stateAt(log: ChangeLog, id: GuildId, revision: number, reader: LogReader): Promise<PastState> {
  // Read before the guild, whose state then includes every change up to the revision.
  const { newest } = await log.store.readLogBounds();
  if (revision > newest) throw new ProblemError('revision-unknown');
  if (revision < (await log.erasedUpTo(id))) throw new ProblemError('revision-unknown');
  const stored = await log.store.read(id);
  const computedAt = stored?.revision ?? 0;
  if (stored !== null && revision >= computedAt) {
    return { state: stored, shown: stored.settings, revision: computedAt, computedAt };
  }
  const values: Record<string, unknown> = {};
  const unset = new Set<string>();
  let isWhole = stored === null;
  const since = { guildId: id, after: revision, before: Number.MAX_SAFE_INTEGER, order: 'oldest-first' } as const;
  await log.walk({ reader, ...since }, (lines) => {
    for (const line of lines) {
      isWhole ||= line.revision === computedAt;
      for (const [field, value] of Object.entries(line.storedBefore ?? line.before)) {
        if (Object.hasOwn(values, field)) continue;
        values[field] = value;
        if (line.unset?.before.includes(field)) unset.add(field);
      }
    }
    return false;
  });
  const newestThen = stored && (await newestRevision(log, { id, after: 0, upTo: revision }, reader));
  // Read after the changes: meanwhile retention may have deleted some of them, or the guild was erased.
  const { oldest } = await log.store.readLogBounds();
  if (!isWhole || revision < oldest - 1) throw new ProblemError('revision-unknown');
  const erased = await log.erasedUpTo(id);
  if (revision < erased) throw new ProblemError('revision-unknown');
  if (stored === null) return { ...pastOf(DEFAULT_STATE, values, unset), revision: 0, computedAt };
  // The last change before the point may not be kept. The point itself is then used, so that no later revision has the
  // same entity tag.
  const unknown = oldest === 1 || erased >= oldest - 1 ? 0 : revision;
  return { ...pastOf(stored, values, unset), revision: newestThen ?? unknown, computedAt };
}

interface ChangesUpTo {
  readonly id: GuildId;
  readonly after: number;
  readonly upTo: number;
}

/** Returns the newest of the given changes that made a revision of the guild's record; undefined: none. */
export async function newestRevision(
  log: ChangeLog,
  { id, after, upTo }: ChangesUpTo,
  reader: LogReader,
): Promise<number | undefined> {
  const range = { guildId: id, after, before: upTo + 1, order: 'newest-first', expected: 1 } as const;
  let newest: number | undefined;
  await log.walk({ reader, ...range }, (lines) => {
    newest = lines.find((line) => !isOfAccess(line))?.revision;
    return newest !== undefined;
  });
  return newest;
}

function pastOf(
  { settings, ...state }: GuildState,
  values: Readonly<Record<string, unknown>>,
  unset: ReadonlySet<string>,
): Pick<PastState, 'state' | 'shown'> {
  const own = Object.entries(state).map(([name, now]) => [name, Object.hasOwn(values, name) ? values[name] : now]);
  const changed = Object.entries(values).filter(([field]) => !Object.hasOwn(state, field));
  const shown = { ...settings, ...Object.fromEntries(changed) };
  const set = Object.fromEntries(Object.entries(shown).filter(([field]) => !unset.has(field)));
  return { state: { ...Object.fromEntries(own), settings: set } as GuildState, shown };
}
