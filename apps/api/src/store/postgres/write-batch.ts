import type { GuildId } from '@guild-settings/contract';
import { and, getTableColumns, gte, inArray, lte, type SQL, sql } from 'drizzle-orm';
import { PgDialect, type PgTable } from 'drizzle-orm/pg-core';
import { type AppliedBatch, applyBatch, type BatchBase } from '../batch.ts';
import { canonical } from '../canonical.ts';
import { type ChangeRow, type GuildRow, undosIn } from '../rows.ts';
import { type StoreCommand, type StoredGuild, StoreUnavailableError } from '../store.ts';
import { GUILD_AND_EPOCHS, storedGuildOf } from './epochs.ts';
import { NOTIFY_COMMIT } from './listener.ts';
import { changes, guilds, meta } from './schema.ts';
import type { SendCommit, Transaction } from './transaction.ts';
import { addErasures, deleteGuilds, erasedWhilePresent } from './write-erasures.ts';

const DIALECT = new PgDialect();

/**
 * Applies commands in a transaction that holds the lock of `meta`: no other transaction writes meanwhile, and what is read is
 * the newest. Writes everything but what {@link sendBatch} sends.
 */
export async function prepareBatch<Command extends StoreCommand>(
  tx: Transaction,
  commands: readonly Command[],
  base: Omit<BatchBase<Command>, 'read' | 'wasPresent'>,
): Promise<AppliedBatch> {
  const ids = [...new Set(commands.flatMap(({ guildIds }) => guildIds))];
  const current = await readGuilds(tx, ids);
  const missing = ids.filter((id) => !current.has(id));
  const present = missing.length === 0 ? new Set() : await erasedWhilePresent(tx, missing, base.cipher);
  const batch = applyBatch(commands, {
    ...base,
    read: (id) => current.get(id) ?? null,
    wasPresent: (id) => present.has(id),
  });
  let erased = batch.erasures;
  if (batch.erasures.length > 0) {
    await deleteGuilds(
      tx,
      batch.erasures.map(({ guildId }) => guildId),
    );
    erased = await addErasures(tx, batch.erasures);
  }
  if (batch.superseded.length > 0) await tx.delete(changes).where(inArray(changes.revision, [...batch.superseded]));
  return { ...batch, erasures: erased };
}

/**
 * Sends the rows of a prepared batch, and COMMIT behind them in the same round trip: other processes wait for the lock meanwhile.
 * @throws DatabaseError when the server refused a statement, and nothing of the batch is written
 */
export async function sendBatch(tx: Transaction, batch: AppliedBatch, sendCommit: SendCommit): Promise<void> {
  if (batch.changes.length === 0) return;
  const sent = [send(tx, 'insert_batch', insertOf(batch))];
  for (const undo of undosIn(batch.changes)) sent.push(send(tx, 'write_undo', undoOf(undo)));
  sendCommit();
  await Promise.all(sent);
}

/** Sends a statement at once, where a query of drizzle's waits until somebody awaits it. The server plans it once for each connection. */
function send(tx: Transaction, name: string, statement: SQL): Promise<unknown> {
  const { sql: text, params: values } = DIALECT.sqlToQuery(statement);
  return tx.$client.query({ name, text, values });
}

function undoOf({ target, revision }: ReturnType<typeof undosIn>[number]): SQL {
  return sql`UPDATE ${changes} SET undone_by = ${revision} WHERE revision = ${target}`;
}

/**
 * Returns whether a batch was committed by a transaction whose outcome is unknown. Needs the lock of `meta` as well. Since
 * then, another process may have undone changes of the batch, erased their authors, or erased their guilds.
 * @throws StoreUnavailableError when nothing of the revisions of the batch is left, so that the outcome stays unknown
 */
export async function wasCommitted(tx: Transaction, { changes: log }: AppliedBatch): Promise<boolean> {
  const [first, last] = [log[0], log.at(-1)];
  if (first === undefined || last === undefined) return false;
  const found = await tx
    .select()
    .from(changes)
    .where(and(gte(changes.revision, first.revision), lte(changes.revision, last.revision)));
  const written = new Map(log.map((row) => [row.revision, row]));
  if (found.length > 0) return found.every((row) => isSameChange(row, written.get(row.revision)));
  const [bounds] = await tx.select({ newest: meta.lastRevision }).from(meta);
  if ((bounds?.newest ?? 0) < last.revision) return false;
  throw new StoreUnavailableError(
    'Expected the changes of a batch or those of another one, found that they were erased',
  );
}

/** Returns whether a row is a change as it was written. The id of its author may have been erased since. */
function isSameChange(found: ChangeRow, written: ChangeRow | undefined): boolean {
  if (written === undefined) return false;
  const asWritten = { ...written, undoneBy: found.undoneBy, ...(found.actorId === '' && { actorId: '' }) };
  return canonical(found) === canonical(asWritten);
}

async function readGuilds(tx: Transaction, ids: readonly GuildId[]): Promise<Map<GuildId, StoredGuild>> {
  const rows = await tx
    .select(GUILD_AND_EPOCHS)
    .from(guilds)
    .where(sql`${guilds.id} = ANY(${sql.param([...ids])})`);
  return new Map(rows.map((row) => [row.guild.id, storedGuildOf(row)]));
}

/**
 * Returns the statement that writes a batch, which also notifies other processes at the commit. Rows are sent as JSON, so that it is one
 * round trip whatever the size of the batch.
 */
function insertOf({ guilds: rows, changes: log, lastRevision }: AppliedBatch): SQL {
  return sql`
    WITH
      written AS (
        INSERT INTO ${guilds} (${GUILDS.names})
        SELECT ${GUILDS.names} FROM json_populate_recordset(NULL::${guilds}, ${GUILDS.json(rows)})
        ON CONFLICT (id) DO UPDATE SET ${GUILDS.excluded}
      ),
      logged AS (
        INSERT INTO ${changes} (${CHANGES.names})
        SELECT ${CHANGES.names} FROM json_populate_recordset(NULL::${changes}, ${CHANGES.json(log)})
      ),
      numbered AS (UPDATE ${meta} SET last_revision = ${lastRevision})
    SELECT ${NOTIFY_COMMIT}`;
}

function columnsOf<Row extends object>(table: PgTable) {
  const columns = Object.entries(getTableColumns(table));
  const names = columns.map(([, { name }]) => sql.identifier(name));
  return {
    names: sql.join(names, sql`, `),
    excluded: sql.join(
      names.map((name) => sql`${name} = excluded.${name}`),
      sql`, `,
    ),
    json: (rows: readonly Row[]) =>
      JSON.stringify(
        rows.map((row) => Object.fromEntries(columns.map(([key, { name }]) => [name, row[key as keyof Row]]))),
      ),
  };
}

const GUILDS = columnsOf<GuildRow>(guilds);
const CHANGES = columnsOf<ChangeRow>(changes);
