import type { GuildId } from '@guild-settings/contract';
import { and, gte, inArray, lte, sql } from 'drizzle-orm';
import { canonical } from '../canonical.ts';
import { type DecidedBatch, decideBatch, type WriteRequest } from '../decide-batch.ts';
import { guildOf } from '../rows.ts';
import type { StoredGuild } from '../store.ts';
import { changes, guilds, meta } from './schema.ts';
import type { Transaction } from './transaction.ts';

/** Rows in one statement, below what the protocol allows in parameters. */
const ROWS_AT_ONCE = 1_000;

/**
 * Decides and writes requests in a transaction that holds the lock of `meta`: nobody else writes meanwhile, and what is
 * read is the newest.
 */
export async function writeBatch(
  tx: Transaction,
  requests: readonly WriteRequest[],
  lastRevision: number,
): Promise<DecidedBatch> {
  const ids = [...new Set(requests.flatMap(({ guildIds }) => guildIds))];
  const current = await readGuilds(tx, ids);
  const batch = decideBatch(requests, (id) => current.get(id) ?? null, lastRevision);
  await insertAll(tx, batch);
  if (batch.lastRevision > lastRevision) await tx.update(meta).set({ lastRevision: batch.lastRevision });
  return batch;
}

/** Whether a batch was committed after all, by a transaction whose end nobody heard. Needs the lock of `meta`, too. */
export async function wasCommitted(tx: Transaction, { changes: log }: DecidedBatch): Promise<boolean> {
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

async function insertAll(tx: Transaction, { guilds: rows, changes: log }: DecidedBatch): Promise<void> {
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
