import type { GuildId } from '@guild-settings/contract';
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import { and, getTableColumns, gte, inArray, lte, type SQL, sql } from 'drizzle-orm';
import { PgDialect, type PgTable } from 'drizzle-orm/pg-core';
import pg from 'pg';
import type { ErasureCipher, ErasureRow } from '../erasure/erasure-rows.ts';
import type { ApplyCommand, StoreCommand, StoredGuild, WriteOutcome, WriteResult } from '../guild-store.ts';
import { type ChangeRow, canonical, type GuildRow, undosIn } from '../rows.ts';
import { StoreUnavailableError, WriteUnconfirmedError } from '../store.ts';
import { type AppliedBatch, applyBatch, type BatchBase, WriteQueue } from '../write-queue.ts';
import type { PostgresDatabase } from './database.ts';
import { NOTIFY_COMMIT } from './listener.ts';
import { changes, guilds, meta } from './schema.ts';
import {
  checkMeta,
  GUILD_AND_EPOCHS,
  isConnectionLost,
  type LockedMeta,
  type SendCommit,
  selectMeta,
  storedGuildOf,
  type Transaction,
  transactWith,
} from './transaction.ts';
import { addErasures, deleteGuilds, erasedWhilePresent } from './write-erasures.ts';

/** Time for which a write is retried. Requests do not wait much longer. */
const RETRY_TIMEOUT_MS = 4_000;

function retryUnavailable<T>(work: () => Promise<T>): Promise<T> {
  const endMs = performance.now() + RETRY_TIMEOUT_MS;
  const isRetried = (error: Error) => error instanceof StoreUnavailableError && performance.now() < endMs;
  const backoff = new ExponentialBackoff({ initialDelay: 50, maxDelay: 1_000 });
  return retry(handleWhen(isRetried), { maxAttempts: 10, backoff }).execute(work);
}

/**
 * Returns true if the server has refused a statement, and therefore the COMMIT after it. A pooler that has lost the
 * server reports that for the first statement without a response: the COMMIT may have been executed.
 */
function isStatementRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity !== 'FATAL' && !isConnectionLost(error);
}

interface WriterOptions<Command extends StoreCommand> {
  readonly db: PostgresDatabase;
  readonly apply: ApplyCommand<Command>;
  readonly cipher: ErasureCipher;
  readonly onErasure: (row: ErasureRow) => void;
}

/** Write queue of one process. The lock of `meta` orders the writes of several processes. */
export class Writer<Command extends StoreCommand = never> {
  readonly #options: WriterOptions<Command>;
  readonly #queue = new WriteQueue<Command>((take) => this.#commit(take), { isBlocking: false });

  constructor(options: WriterOptions<Command>) {
    this.#options = options;
  }

  /**
   * Resolves when the command is committed. Rejects with an error of its interpretation, or with StoreUnavailableError.
   */
  write(command: Command): Promise<WriteResult> {
    return this.#queue.write(command);
  }

  /** Resolves when the commands are committed in one transaction. Rejects with StoreUnavailableError. */
  writeAll(commands: readonly Command[]): Promise<readonly WriteOutcome[]> {
    return this.#queue.writeAll(commands);
  }

  /** Runs other work under the lock of writers, with the newest revision. */
  exclusively<T>(work: (tx: Transaction, lastRevision: number) => Promise<T>): Promise<T> {
    return retryUnavailable(() => this.#transaction((tx, { lastRevision }) => work(tx, lastRevision)));
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /**
   * Commits a batch. If the outcome of an attempt is unknown, the next one determines it under the lock before writing.
   */
  async #commit(take: () => readonly Command[]): Promise<readonly WriteOutcome[]> {
    const { apply, cipher, onErasure } = this.#options;
    let unconfirmed: AppliedBatch | undefined;
    try {
      const written = await retryUnavailable(() =>
        this.#transaction(async (tx, bounds, sendCommit) => {
          if (unconfirmed !== undefined && (await wasCommitted(tx, unconfirmed))) return unconfirmed;
          unconfirmed = undefined;
          const batch = await prepareBatch(tx, take(), { apply, cipher, ...bounds });
          unconfirmed = batch;
          await sendBatch(tx, batch, sendCommit).catch((error: unknown) => {
            if (isStatementRefused(error)) unconfirmed = undefined;
            throw error;
          });
          return batch;
        }),
      );
      for (const { row } of written.erasures) onErasure(row);
      return written.outcomes;
    } catch (error) {
      const mayHaveWritten = unconfirmed !== undefined && unconfirmed.changes.length > 0;
      if (!mayHaveWritten || !(error instanceof StoreUnavailableError)) throw error;
      throw new WriteUnconfirmedError(error.message, { cause: error });
    }
  }

  #transaction<T>(work: (tx: Transaction, bounds: LockedMeta, sendCommit: SendCommit) => Promise<T>): Promise<T> {
    return transactWith(this.#options.db, 'write', {
      first: selectMeta,
      rest: async (tx, found, sendCommit) => work(tx, await checkMeta(tx, found), sendCommit),
    });
  }
}

const DIALECT = new PgDialect();

/**
 * Applies commands in a transaction that holds the lock of `meta`, so that no other transaction writes meanwhile, and
 * reads return the newest state. Writes everything except what {@link sendBatch} sends.
 */
async function prepareBatch<Command extends StoreCommand>(
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
 * Sends the rows of a prepared batch, followed by COMMIT in the same round trip, because other processes wait for the
 * lock.
 * @throws DatabaseError when the server refused a statement, and nothing of the batch is written
 */
async function sendBatch(tx: Transaction, batch: AppliedBatch, sendCommit: SendCommit): Promise<void> {
  if (batch.changes.length === 0) return;
  const sent = [send(tx, 'insert_batch', insertOf(batch))];
  for (const undo of undosIn(batch.changes)) sent.push(send(tx, 'write_undo', undoOf(undo)));
  sendCommit();
  await Promise.all(sent);
}

/**
 * Sends a statement immediately; a drizzle query would wait until it is awaited. The server plans it once per
 * connection.
 */
function send(tx: Transaction, name: string, statement: SQL): Promise<unknown> {
  const { sql: text, params: values } = DIALECT.sqlToQuery(statement);
  return tx.$client.query({ name, text, values });
}

function undoOf({ target, revision }: ReturnType<typeof undosIn>[number]): SQL {
  return sql`UPDATE ${changes} SET undone_by = ${revision} WHERE revision = ${target}`;
}

/**
 * Returns true if a batch was committed by a transaction whose outcome is unknown. Needs the lock of `meta`. Another
 * process may since have undone changes of the batch, erased their authors, or erased their guilds.
 * @throws StoreUnavailableError when no revision of the batch is left, so that the outcome stays unknown
 */
async function wasCommitted(tx: Transaction, { changes: log }: AppliedBatch): Promise<boolean> {
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
  throw new StoreUnavailableError('The outcome of a write cannot be determined, because its changes were erased');
}

/** Returns true if a row is a change as it was written. The id of its author may have been erased since. */
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
 * Returns the statement that writes a batch and notifies other processes at the commit. Rows are sent as JSON, so that
 * a batch of any size takes one round trip.
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
