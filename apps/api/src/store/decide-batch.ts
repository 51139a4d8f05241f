import type { GuildId } from '@guild-settings/contract';
import { type ChangeRow, type GuildRow, rowOfChange, rowOfGuild } from './rows.ts';
import type { Decide, GuildWrite, StoredGuild, WriteResult } from './store.ts';

/** Somebody's write: which guilds, and what is decided of them. */
export interface WriteRequest {
  readonly guildIds: readonly GuildId[];
  readonly decide: Decide;
}

/** What came of a request: its result, or what its decision threw. */
export type WriteOutcome = { readonly result: WriteResult } | { readonly refusal: unknown };

/** What is to be written in one transaction. */
export interface DecidedBatch {
  /** One for each request, in their order. */
  readonly outcomes: readonly WriteOutcome[];
  /** The guilds that change, each once, as they are in the end. */
  readonly guilds: readonly GuildRow[];
  /** The log's new lines, one a revision. */
  readonly changes: readonly ChangeRow[];
  /** The newest revision after all of it. */
  readonly lastRevision: number;
}

/**
 * Decides requests one after another, each on what those before it made of the guilds. A refused request writes nothing;
 * the others are not concerned.
 * @param read a guild as it is before the batch, inside the transaction that will write it
 */
export function decideBatch(
  requests: readonly WriteRequest[],
  read: (guildId: GuildId) => StoredGuild | null,
  lastRevision: number,
): DecidedBatch {
  const current = new Map<GuildId, StoredGuild | null>();
  const touched = new Map<GuildId, GuildRow>();
  const changes: ChangeRow[] = [];
  let revision = lastRevision;
  const stateOf = (id: GuildId) => {
    const known = current.get(id);
    if (known !== undefined) return known;
    const stored = read(id);
    current.set(id, stored);
    return stored;
  };
  const outcomes = requests.map(({ guildIds, decide }): WriteOutcome => {
    let writes: readonly { readonly id: GuildId; readonly write: GuildWrite }[];
    try {
      writes = guildIds.flatMap((id) => {
        const write = decide(stateOf(id), id);
        return write === null ? [] : [{ id, write }];
      });
    } catch (refusal) {
      return { refusal };
    }
    for (const { id, write } of writes) {
      revision += 1;
      const { at } = write.change;
      current.set(id, { ...write.next, id, revision, updatedAt: at });
      touched.set(id, rowOfGuild(id, write.next, revision, at));
      changes.push(rowOfChange(id, write.change, revision));
    }
    return { result: { guilds: guildIds.map(stateOf), written: writes.length, revision } };
  });
  return { outcomes, guilds: [...touched.values()], changes, lastRevision: revision };
}
