import type { GuildId } from '@guild-settings/contract';
import { and, gte, inArray, lte, sql } from 'drizzle-orm';
import { canonical } from '../canonical.ts';
import { guildOf, rowOfChange, rowOfGuild } from '../rows.ts';
import type { Decide, GuildWrite, StoredGuild, WriteResult } from '../store.ts';
import { changes, guilds, meta } from './schema.ts';
import type { Transaction } from './transaction.ts';

/** Somebody's write: which guilds, and what is decided of them. */
export interface WriteRequest {
  readonly guildIds: readonly GuildId[];
  readonly decide: Decide;
}

/** What came of a request: its result, or what its decision threw. */
export type WriteOutcome = { readonly result: WriteResult } | { readonly refusal: unknown };

type ChangeRow = typeof changes.$inferSelect;

/** What a batch was about to commit, to find out later whether it was. */
export interface WrittenBatch {
  readonly outcomes: readonly WriteOutcome[];
  readonly changes: readonly ChangeRow[];
}

/** Rows in one statement, below what the protocol allows in parameters. */
const ROWS_AT_ONCE = 1_000;

/**
 * Decides and writes the requests one after another, in a transaction that holds the lock of `meta`: nobody else writes
 * meanwhile, and what is read is the newest. A refused request writes nothing; the others are not concerned.
 */
export async function writeBatch(
  tx: Transaction,
  requests: readonly WriteRequest[],
  lastRevision: number,
): Promise<WrittenBatch> {
  const ids = [...new Set(requests.flatMap(({ guildIds }) => guildIds))];
  const current = await readGuilds(tx, ids);
  const log: ChangeRow[] = [];
  const touched = new Map<GuildId, ReturnType<typeof rowOfGuild>>();
  let revision = lastRevision;
  const outcomes = requests.map(({ guildIds, decide }): WriteOutcome => {
    const decided = decideAll(guildIds, decide, current);
    if ('refusal' in decided) return decided;
    for (const { id, write } of decided.writes) {
      revision += 1;
      current.set(id, { ...write.next, id, revision });
      touched.set(id, rowOfGuild(id, write.next, revision, write.change.at));
      log.push(rowOfChange(id, write.change, revision));
    }
    const stored = guildIds.map((id) => current.get(id) ?? null);
    return { result: { guilds: stored, written: decided.writes.length, revision } };
  });
  await insertAll(tx, [...touched.values()], log);
  if (revision > lastRevision) await tx.update(meta).set({ lastRevision: revision });
  return { outcomes, changes: log };
}

/** Whether a batch was committed after all, by a transaction whose end nobody heard. Needs the lock of `meta`, too. */
export async function wasCommitted(tx: Transaction, { changes: log }: WrittenBatch): Promise<boolean> {
  const [first, last] = [log[0], log.at(-1)];
  if (first === undefined || last === undefined) return false;
  const found = await tx
    .select()
    .from(changes)
    .where(and(gte(changes.revision, first.revision), lte(changes.revision, last.revision)))
    .orderBy(changes.revision);
  return canonical(found) === canonical(log);
}

async function readGuilds(tx: Transaction, ids: readonly GuildId[]): Promise<Map<GuildId, StoredGuild>> {
  const rows = await tx
    .select()
    .from(guilds)
    .where(inArray(guilds.id, [...ids]));
  return new Map(rows.map((row) => [row.id, guildOf(row)]));
}

function decideAll(
  ids: readonly GuildId[],
  decide: Decide,
  current: ReadonlyMap<GuildId, StoredGuild>,
):
  | { readonly writes: readonly { readonly id: GuildId; readonly write: GuildWrite }[] }
  | { readonly refusal: unknown } {
  try {
    const writes = ids.flatMap((id) => {
      const write = decide(current.get(id) ?? null, id);
      return write === null ? [] : [{ id, write }];
    });
    return { writes };
  } catch (refusal) {
    return { refusal };
  }
}

async function insertAll(
  tx: Transaction,
  rows: readonly ReturnType<typeof rowOfGuild>[],
  log: readonly ChangeRow[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    await tx
      .insert(guilds)
      .values(rows.slice(start, start + ROWS_AT_ONCE))
      .onConflictDoUpdate({ target: guilds.id, set: EXCLUDED });
  }
  for (let start = 0; start < log.length; start += ROWS_AT_ONCE) {
    await tx.insert(changes).values(log.slice(start, start + ROWS_AT_ONCE));
  }
}

/** `SET column = excluded.column` for every column but the key. */
const EXCLUDED = Object.fromEntries(
  Object.entries(guilds)
    .filter(([name]) => name !== 'id' && name !== 'enableRLS')
    .map(([name, column]) => [name, sql.raw(`excluded."${column.name}"`)]),
);
