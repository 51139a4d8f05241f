import { type GuildId, ProblemError } from '@guild-settings/contract';
import { InProgress } from '../auth/limits.ts';
import type { GuildStore, HistoryRange, HistoryStore, LoggedChange } from '../store/guild-store.ts';
import { LogTurns } from './log-turns.ts';

/** Lines that a walk reads before it counts as one of its reader, unless it expects more. */
const FIRST_LINES = 64;

/** Lines that a walk through the log examines at most. They cost a second, in slices between which requests are handled. */
const MAX_LINES = 100_000;

const TOO_MANY =
  'Three requests of yours are reading long histories. Wait for their responses, and send this one again.';

const TURNS = new LogTurns();

/**
 * Walks beyond the lines that they expect, of which one reads thousands. Streams read as the application does: after a restart
 * many resume at once.
 */
const WALKS = new InProgress({
  perPerson: 3,
  ofApplication: Number.POSITIVE_INFINITY,
  refusal: () => new ProblemError('rate-limited', { retryAfter: 1, detail: TOO_MANY }),
});

export type LogStore = Pick<GuildStore, 'read'> & HistoryStore;

export interface LogReader {
  /** The person, who may have few walks under way at a time; undefined: the application. */
  readonly userId: string | undefined;
  isGone(): boolean;
}

export interface LogWalk extends Omit<HistoryRange, 'limit'> {
  readonly store: LogStore;
  readonly reader: LogReader;
  /** Lines that are expected to be needed: the first part has no more, and they are not limited. */
  readonly expected?: number;
}

/** Reads few lines, in a turn of the walks. */
export async function readLines(
  store: Pick<LogStore, 'readHistory'>,
  range: HistoryRange,
): Promise<readonly LoggedChange[]> {
  const turn = TURNS.take(range.guildId);
  if (turn !== undefined) await turn;
  return store.readHistory(range);
}

/** Returns the revision up to which the changes of a guild are not part of its history: they were erased, or never were. */
export async function erasedUpTo(store: LogStore, guildId: GuildId): Promise<number> {
  return (await store.readErasure(guildId))?.revision ?? 0;
}

/**
 * Visits the lines of a range, part by part, until there are no more or a visit returns true. Other requests are handled between
 * two parts, and between those of other walks. A part is not kept while the walk waits.
 * @throws ProblemError revision-unknown when there are too many; rate-limited beyond the expected lines when the reader has three
 *   such walks under way; request-timeout when the reader has gone
 */
export async function walkLog(
  { store, reader, expected = FIRST_LINES, ...range }: LogWalk,
  visit: (lines: readonly LoggedChange[]) => boolean,
): Promise<void> {
  let rest: Omit<HistoryRange, 'limit'> = range;
  let end: (() => void) | undefined;
  try {
    for (let examined = 0; examined < MAX_LINES; ) {
      const turn = TURNS.take(range.guildId);
      // An embedded store reads at once: the next walk to take a turn finds the time used.
      if (turn !== undefined) await turn;
      if (reader.isGone()) throw new ProblemError('request-timeout', { detail: 'The connection was closed.' });
      const limit = Math.min(TURNS.lines, examined === 0 ? expected : MAX_LINES);
      const { count, last } = await visitPart(store, { ...rest, limit }, visit);
      if (last === undefined || count < limit) return;
      rest = { ...rest, [rest.order === 'oldest-first' ? 'after' : 'before']: last };
      examined += count;
      if (examined >= Math.max(expected, FIRST_LINES)) end ??= WALKS.begin(reader.userId);
      await new Promise(setImmediate);
    }
  } finally {
    end?.();
  }
  throw new ProblemError('revision-unknown', {
    detail: `Expected a revision with at most ${MAX_LINES} later changes of the guild. Use a newer one.`,
  });
}

/** Reads and visits one part. @returns its number of lines, and the revision after which the walk goes on; undefined: it is over */
async function visitPart(store: LogStore, range: HistoryRange, visit: (lines: readonly LoggedChange[]) => boolean) {
  const startedAtMs = performance.now();
  const lines = await store.readHistory(range);
  TURNS.noteQuery({ lines: lines.length, ms: performance.now() - startedAtMs });
  return { count: lines.length, last: visit(lines) ? undefined : lines.at(-1)?.revision };
}
