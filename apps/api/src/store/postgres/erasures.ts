import type { GuildId, Snowflake } from '@guild-settings/contract';
import { and, asc, count, eq, gt, inArray, isNotNull, sql } from 'drizzle-orm';
import { SliceSize } from '../background-slice.ts';
import { type ErasureTable, type LedgerTarget, MAX_UNFINISHED } from '../erasure/erasing.ts';
import {
  type ErasureCipher,
  HAS_AUTHOR,
  type LedgerEntry,
  newErasureKey,
  rowOfAppliedErasure,
  rowOfErasure,
  rowOfErasureLine,
} from '../erasure/erasure-rows.ts';
import type { KnownErasure } from '../guild-store.ts';
import { guildOf, NO_EPOCHS } from '../rows.ts';
import type { PostgresDatabase } from './database.ts';
import { NOTIFY_COMMIT } from './listener.ts';
import { changes, erasures, guilds, ledgers, meta } from './schema.ts';
import { type Transaction, transact, withStoreErrors } from './transaction.ts';
import { addErasureRows, deleteGuilds, newestErasure } from './write-erasures.ts';
import type { Writer } from './writer.ts';

/** Key of the advisory lock of a slice: an arbitrary, unique number. */
const ERASURE_LOCK = 7_461_120_913;

const BY_AUTHOR = sql.raw(HAS_AUTHOR);

export async function erasureKeyOf(db: PostgresDatabase): Promise<string> {
  await db.$client.query('UPDATE meta SET erasure_key = $1 WHERE erasure_key IS NULL', [newErasureKey()]);
  const { rows } = await db.$client.query<{ key: string }>('SELECT erasure_key AS key FROM meta');
  return rows[0]?.key ?? '';
}

interface PostgresErasures extends ErasureTable {
  read(id: GuildId): Promise<KnownErasure | null>;
}

interface PostgresErasuresOptions {
  readonly db: PostgresDatabase;
  readonly writer: Pick<Writer, 'exclusively'>;
  readonly cipher: ErasureCipher;
}

export function openErasures({ db, writer, cipher }: PostgresErasuresOptions): PostgresErasures {
  const size = new SliceSize();

  /**
   * Runs a slice. Slices of several processes run one after another, because they could deadlock on each other's rows.
   */
  async function timed<T>(work: (tx: Transaction, limit: number) => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    // Read once, because a slice of the other kind may change it meanwhile.
    const limit = size.rows;
    const result = await transact(db, 'write', async (tx) => {
      await tx.execute(sql`SELECT pg_advisory_xact_lock(${ERASURE_LOCK})`);
      return work(tx, limit);
    });
    size.record(performance.now() - startedAt);
    return result;
  }

  /** Returns the newest erasure of a person, and if they have changed anything since. */
  async function findPerson(tx: Transaction, id: Snowflake) {
    const last = await newestErasure(tx, cipher.hash('person', id));
    const { rows } = await tx.execute(sql`
      SELECT 1 FROM ${changes} WHERE ${BY_AUTHOR} AND actor_id = ${id} AND revision > ${last?.revision ?? 0} LIMIT 1`);
    return { last, isAuthor: rows.length > 0 };
  }

  return {
    async read(id) {
      const row = await withStoreErrors(() => newestErasure(db, cipher.hash('guild', id)));
      return row === undefined ? null : { revision: row.revision, at: row.at, wasPresent: row.wasPresent };
    },

    async forget(id, at, requireAllowed) {
      // Read without the lock of writers, because most people who may request it have changed nothing.
      const found = await withStoreErrors(() => findPerson(db, id));
      if (!found.isAuthor) return found.last;
      return writer.exclusively(async (tx, revision) => {
        const { last, isAuthor } = await findPerson(tx, id);
        if (!isAuthor) return last;
        if (last !== undefined) requireAllowed?.(last.at);
        const row = rowOfErasure('person', id, { cipher, at, revision });
        await addErasureRows(tx, [row]);
        return row;
      });
    },

    async count() {
      const [row] = await withStoreErrors(() =>
        db.select({ unfinished: count() }).from(erasures).where(isNotNull(erasures.sealed)),
      );
      return row?.unfinished ?? 0;
    },

    unfinished: (kind) =>
      withStoreErrors(() =>
        db
          .select()
          .from(erasures)
          .where(and(isNotNull(erasures.sealed), eq(erasures.kind, kind)))
          .orderBy(asc(erasures.revision))
          .limit(MAX_UNFINISHED),
      ),

    eraseHistory: (id, revision) =>
      timed(async (tx, limit) => {
        // Changes are counted in the same statement: retention may be deleting the same rows.
        const { rows } = await tx.execute<{ found: number }>(sql`
          WITH step AS (
              SELECT revision FROM ${changes} WHERE guild_id = ${id} AND revision <= ${revision}
              ORDER BY revision LIMIT ${limit}),
            deleted AS (DELETE FROM ${changes} WHERE revision IN (SELECT revision FROM step))
          SELECT count(*)::integer AS found FROM step`);
        return rows[0]?.found === limit;
      }),

    erasePerson: (id, revision) =>
      timed(async (tx, limit) => {
        const { rowCount } = await tx.execute(sql`
          UPDATE ${changes} SET actor_id = '' WHERE revision IN (
            SELECT revision FROM ${changes} WHERE ${BY_AUTHOR} AND actor_id = ${id} AND revision <= ${revision}
            ORDER BY revision LIMIT ${limit})`);
        return rowCount === limit;
      }),

    async finish(ids) {
      await withStoreErrors(() =>
        db
          .update(erasures)
          .set({ sealed: null })
          .where(inArray(erasures.id, [...ids])),
      );
    },
  };
}

const PAGE_ROWS = 20_000;

/** Key of the advisory lock of the ledger's file: an arbitrary, unique number. */
const LEDGER_LOCK = 7_461_120_914;

interface LedgerTargetOptions {
  readonly db: PostgresDatabase;
  readonly writer: Pick<Writer, 'exclusively'>;
  readonly cipher: ErasureCipher;
}

export function openLedgerTarget({ db, writer, cipher }: LedgerTargetOptions): LedgerTarget {
  async function eraseGuild(tx: Transaction, entry: LedgerEntry, id: GuildId, revision: number): Promise<void> {
    const [guild] = await deleteGuilds(tx, [id]);
    const stored = guild === undefined ? null : guildOf(guild, NO_EPOCHS);
    const { at } = entry;
    await addErasureRows(tx, [{ ...rowOfErasure('guild', id, { cipher, stored, at, revision }), id: entry.id }]);
    await tx.insert(changes).values(rowOfErasureLine(cipher.seal(id), { at, revision, by: 'request' }));
    await tx.update(meta).set({ lastRevision: revision });
    await tx.execute(sql`SELECT ${NOTIFY_COMMIT}`);
  }

  return {
    record: (work) =>
      transact(db, 'write', async (tx) => {
        await tx.execute(sql`SELECT pg_advisory_xact_lock(${LEDGER_LOCK})`);
        const [row] = await tx.select({ databaseId: meta.databaseId }).from(meta);
        const seen = await work({ databaseId: row?.databaseId ?? '', ledgers: await tx.select().from(ledgers) });
        if (seen === undefined) return;
        await tx.insert(ledgers).values(seen).onConflictDoUpdate({ target: ledgers.id, set: seen });
      }),

    async forgetLedgers() {
      await withStoreErrors(() => db.delete(ledgers));
    },

    requested() {
      const { id, kind, hash, at } = erasures;
      return withStoreErrors(() =>
        db.select({ id, kind, hash, at }).from(erasures).where(eq(erasures.isRequested, true)),
      );
    },

    async *guildIds() {
      for (let after = ''; ; ) {
        const page = db.select({ id: guilds.id }).from(guilds).where(gt(guilds.id, after)).orderBy(asc(guilds.id));
        const ids = (await withStoreErrors(() => page.limit(PAGE_ROWS))).map(({ id }) => id);
        yield ids;
        if (ids.length < PAGE_ROWS) return;
        after = ids.at(-1) ?? after;
      }
    },

    async *personIds() {
      for (let after = 0; ; ) {
        const { rows } = await withStoreErrors(() =>
          db.execute<{ id: string | null; last: string }>(sql`
            SELECT CASE actor_kind WHEN 'user' THEN actor_id END AS id, max(revision) AS last FROM (
              SELECT revision, actor_kind, actor_id FROM ${changes} WHERE revision > ${after} ORDER BY revision LIMIT ${PAGE_ROWS}
            ) AS page GROUP BY 1`),
        );
        if (rows.length === 0) return;
        yield rows.map(({ id }) => id).filter((id) => id !== null && id !== '') as string[];
        after = Math.max(...rows.map(({ last }) => Number(last)));
      }
    },

    async newestRevision() {
      const [found] = await withStoreErrors(() => db.select({ newest: meta.lastRevision }).from(meta));
      return found?.newest ?? 0;
    },

    async apply(entry, found) {
      await writer.exclusively(async (tx, lastRevision) => {
        const known = await tx.select({ id: erasures.id }).from(erasures).where(eq(erasures.id, entry.id));
        if (known.length > 0) return;
        if (entry.kind === 'guild' && found !== undefined) await eraseGuild(tx, entry, found.id, lastRevision + 1);
        else await addErasureRows(tx, [rowOfAppliedErasure(entry, found?.revision)]);
      });
    },
  };
}
