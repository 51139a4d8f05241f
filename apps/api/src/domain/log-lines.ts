import type { HistoryRange, LoggedChange, Store, StoreCommand } from '../store/store.ts';

/** Lines that one query reads. Other requests are handled between two queries. */
const MAX_LINES = 500;

/** The parts of a store that history is read from. */
export type LogStore = Pick<Store<StoreCommand>, 'read' | 'readHistory' | 'readLogBounds'>;

/**
 * Yields all lines of a range, in parts.
 * @param first lines of the first part, where few may be enough
 */
export async function* logLines(
  store: LogStore,
  range: Omit<HistoryRange, 'limit'>,
  first = MAX_LINES,
): AsyncGenerator<readonly LoggedChange[], void, void> {
  let rest = range;
  for (let limit = first; ; limit = MAX_LINES) {
    const lines = await store.readHistory({ ...rest, limit });
    yield lines;
    const last = lines.at(-1);
    if (last === undefined || lines.length < limit) return;
    rest = { ...rest, [rest.order === 'oldest-first' ? 'after' : 'before']: last.revision };
    await new Promise(setImmediate);
  }
}
