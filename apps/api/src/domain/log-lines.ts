import type { GuildId } from '@guild-settings/contract';
import type { HistoryRange, LoggedChange, Store, StoreCommand } from '../store/store.ts';

/** Lines that one query reads. Other requests are handled between two queries. */
const MAX_LINES = 500;

/** The parts of a store that history is read from. */
export type LogStore = Pick<Store<StoreCommand>, 'read' | 'readHistory' | 'readLogBounds' | 'readErasure'>;

/** Returns the revision up to which the changes of a guild are not part of its history: they were erased, or never were. */
export async function erasedUpTo(store: LogStore, guildId: GuildId): Promise<number> {
  return (await store.readErasure(guildId))?.revision ?? 0;
}

/** Yields all lines of a range, in parts. */
export async function* logLines(
  store: LogStore,
  range: Omit<HistoryRange, 'limit'>,
): AsyncGenerator<readonly LoggedChange[], void, void> {
  let rest = range;
  for (;;) {
    const lines = await store.readHistory({ ...rest, limit: MAX_LINES });
    yield lines;
    const last = lines.at(-1);
    if (last === undefined || lines.length < MAX_LINES) return;
    rest = { ...rest, [rest.order === 'oldest-first' ? 'after' : 'before']: last.revision };
    await new Promise(setImmediate);
  }
}
