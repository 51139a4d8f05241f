import { type GuildId, ProblemError, type SetValues } from '@guild-settings/contract';
import type { GuildState } from '../store/guild-store.ts';
import { DEFAULT_STATE } from './default-state.ts';
import { isOfAccess } from './history-entry.ts';
import { erasedUpTo, type LogReader, type LogStore, walkLog } from './walk-log.ts';

export interface PastState {
  readonly state: GuildState;
  /**
   * The set values, and the values in effect of the fields that followed their defaults, as far as the log has them.
   */
  readonly shown: SetValues;
  readonly revision: number;
  readonly computedAt: number;
}

/**
 * Returns the state of a guild at a revision: the state now, with the values before the changes that were made since. A
 * revision may belong to another guild: it is a point in time.
 * @throws ProblemError revision-unknown when it is in the future, or when a change since is not kept
 */
export async function stateAt(store: LogStore, id: GuildId, revision: number, reader: LogReader): Promise<PastState> {
  // Read before the guild, which then has every change up to the revision.
  const { newest } = await store.readLogBounds();
  if (revision > newest) throw new ProblemError('revision-unknown');
  if (revision < (await erasedUpTo(store, id))) throw new ProblemError('revision-unknown');
  const stored = await store.read(id);
  const computedAt = stored?.revision ?? 0;
  if (stored !== null && revision >= computedAt) {
    return { state: stored, shown: stored.settings, revision: computedAt, computedAt };
  }
  const values: Record<string, unknown> = {};
  const unset = new Set<string>();
  let isWhole = stored === null;
  const since = { guildId: id, after: revision, before: Number.MAX_SAFE_INTEGER, order: 'oldest-first' } as const;
  await walkLog({ store, reader, ...since }, (lines) => {
    for (const line of lines) {
      isWhole ||= line.revision === computedAt;
      for (const [field, value] of Object.entries(line.before)) {
        if (Object.hasOwn(values, field)) continue;
        values[field] = value;
        if (line.unset?.before.includes(field)) unset.add(field);
      }
    }
    return false;
  });
  const newestThen = stored && (await newestRevision(store, { id, after: 0, upTo: revision }, reader));
  // Read after the changes: retention may have deleted some of them, or the guild was erased meanwhile.
  const { oldest } = await store.readLogBounds();
  if (!isWhole || revision < oldest - 1) throw new ProblemError('revision-unknown');
  const erased = await erasedUpTo(store, id);
  if (revision < erased) throw new ProblemError('revision-unknown');
  if (stored === null) return { ...pastOf(DEFAULT_STATE, values, unset), revision: 0, computedAt };
  // The point itself is used if the last change before it is not kept, so that no later revision has the same entity
  // tag.
  const unknown = oldest === 1 || erased >= oldest - 1 ? 0 : revision;
  return { ...pastOf(stored, values, unset), revision: newestThen ?? unknown, computedAt };
}

interface ChangesUpTo {
  readonly id: GuildId;
  readonly after: number;
  readonly upTo: number;
}

/** Returns the newest of some changes of a guild that made a revision of its record; undefined: there is none. */
export async function newestRevision(
  store: LogStore,
  { id, after, upTo }: ChangesUpTo,
  reader: LogReader,
): Promise<number | undefined> {
  const range = { guildId: id, after, before: upTo + 1, order: 'newest-first', expected: 1 } as const;
  let newest: number | undefined;
  await walkLog({ store, reader, ...range }, (lines) => {
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
