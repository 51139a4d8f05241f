import { type GuildId, ProblemError } from '@guild-settings/contract';
import type { GuildState } from '../store/store.ts';
import { DEFAULT_STATE } from './default-state.ts';
import { erasedUpTo, type LogStore, logLines } from './log-lines.ts';

/** A past state of a guild. */
export interface PastState {
  readonly state: GuildState;
  /** The revision of the guild at that time. */
  readonly revision: number;
}

/**
 * Returns the state of a guild at a revision: the state now, with the values before the changes that were made since. A
 * revision may belong to another guild: it is a point in time.
 * @throws ProblemError revision-unknown when it is in the future, or when a change since is not kept
 */
export async function stateAt(store: LogStore, id: GuildId, revision: number): Promise<PastState> {
  if (revision < (await erasedUpTo(store, id))) throw new ProblemError('revision-unknown');
  const stored = await store.read(id);
  if (stored !== null && revision >= stored.revision) {
    await requireKept(store, revision, stored.revision);
    return { state: stored, revision: stored.revision };
  }
  await requireKept(store, revision);
  const values: Record<string, unknown> = {};
  const since = { guildId: id, after: revision, before: Number.MAX_SAFE_INTEGER, order: 'oldest-first' } as const;
  for await (const lines of logLines(store, since)) {
    for (const { before, after } of lines) {
      if (after === null) throw new ProblemError('revision-unknown');
      for (const [field, value] of Object.entries(before)) {
        if (!Object.hasOwn(values, field)) values[field] = value;
      }
    }
  }
  // Retention may have deleted changes meanwhile, or the guild may have been erased.
  await requireKept(store, revision);
  if (revision < (await erasedUpTo(store, id))) throw new ProblemError('revision-unknown');
  return { state: withValues(stored ?? DEFAULT_STATE, values), revision: await guildRevision(store, id, revision) };
}

/** @param unchangedSince revision of the guild's last change, if the guild has not changed since */
async function requireKept(store: LogStore, revision: number, unchangedSince?: number): Promise<void> {
  const { oldest, newest } = await store.readLogBounds();
  const isKept = revision >= oldest - 1 || (unchangedSince !== undefined && revision >= unchangedSince);
  if (!isKept || revision > newest) throw new ProblemError('revision-unknown');
}

/** Returns the revision of a guild at a point in time: that point itself when the guild's last change before it is not kept. */
async function guildRevision(store: LogStore, guildId: GuildId, revision: number): Promise<number> {
  const range = { guildId, after: 0, before: revision + 1, order: 'newest-first', limit: 1 } as const;
  const [newest] = await store.readHistory(range);
  if (newest === undefined) return revision;
  return newest.after === null ? 0 : newest.revision;
}

function withValues({ settings, ...state }: GuildState, values: Readonly<Record<string, unknown>>): GuildState {
  const past = <T extends object>(of: T) =>
    Object.fromEntries(
      Object.entries(of).map(([name, now]) => [name, Object.hasOwn(values, name) ? values[name] : now]),
    );
  return { ...past(state), settings: past(settings) } as GuildState;
}
