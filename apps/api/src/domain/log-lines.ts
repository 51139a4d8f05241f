import { type GuildId, ProblemError } from '@guild-settings/contract';
import type { HistoryRange, LoggedChange, Store, StoreCommand } from '../store/store.ts';
import { LogTurns } from './log-turns.ts';

/** Lines that one query reads at first, and the bounds within which the number adapts to what a query takes. */
const LINES = { first: 64, min: 16, max: 512 };

/** Milliseconds that a query may take: an embedded store blocks the event loop, and a line can have 30 KiB. */
const QUERY_MS = 5;

/** Lines that a walk through the log examines at most. They cost a second, in slices between which requests are handled. */
const MAX_LINES = 100_000;

/** Those of the event loop, which all walks share. */
const TURNS = new LogTurns();

/** The parts of a store that history is read from. */
export type LogStore = Pick<Store<StoreCommand>, 'read' | 'readHistory' | 'readLogBounds' | 'readErasure'>;

/** Returns the revision up to which the changes of a guild are not part of its history: they were erased, or never were. */
export async function erasedUpTo(store: LogStore, guildId: GuildId): Promise<number> {
  return (await store.readErasure(guildId))?.revision ?? 0;
}

/**
 * Yields all lines of a range, in parts. Other requests are handled between two parts, and between those of other walks.
 * @param expected lines that the caller expects to need: the first part has no more
 * @throws ProblemError revision-unknown when there are too many
 */
export async function* logLines(
  store: LogStore,
  range: Omit<HistoryRange, 'limit'>,
  expected: number = LINES.first,
): AsyncGenerator<readonly LoggedChange[], void, void> {
  let rest = range;
  let limit = Math.min(expected, LINES.first);
  for (let examined = 0; examined < MAX_LINES; ) {
    const turn = TURNS.take(range.guildId);
    // An embedded store reads at once: the next walk to take a turn finds the time used.
    if (turn !== undefined) await turn;
    const startedAt = performance.now();
    const lines = await store.readHistory({ limit, ...rest });
    const isSlow = performance.now() - startedAt > QUERY_MS;
    yield lines;
    const last = lines.at(-1);
    if (last === undefined || lines.length < limit) return;
    rest = { ...rest, [rest.order === 'oldest-first' ? 'after' : 'before']: last.revision };
    examined += lines.length;
    limit = isSlow ? Math.max(LINES.min, limit / 2) : Math.min(LINES.max, limit * 2);
    await new Promise(setImmediate);
  }
  throw new ProblemError('revision-unknown', {
    detail: `Expected a revision with at most ${MAX_LINES} later changes of the guild. Use a newer one.`,
  });
}
