import type { GuildId, Snowflake } from '@guild-settings/contract';
import { and, asc, count, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { SliceSize } from '../background-slice.ts';
import { type ErasureCipher, newErasureKey } from '../erasure/erasure-cipher.ts';
import { HAS_AUTHOR, rowOfErasure } from '../erasure/erasure-rows.ts';
import { type ErasureTable, MAX_UNFINISHED } from '../erasure/erasure-work.ts';
import type { KnownErasure } from '../store.ts';
import type { PostgresDatabase } from './database.ts';
import { withStoreErrors } from './failures.ts';
import { changes, erasures } from './schema.ts';
import { type Transaction, transact } from './transaction.ts';
import { addErasureRows, newestErasure } from './write-erasures.ts';
import type { Writer } from './writer.ts';

/** Key of the advisory lock of a slice: an arbitrary number that nothing else uses. */
const ERASURE_LOCK = 7_461_120_913;

const BY_AUTHOR = sql.raw(HAS_AUTHOR);

export async function erasureKeyOf(db: PostgresDatabase): Promise<string> {
  await db.$client.query('UPDATE meta SET erasure_key = $1 WHERE erasure_key IS NULL', [newErasureKey()]);
  const { rows } = await db.$client.query<{ key: string }>('SELECT erasure_key AS key FROM meta');
  return rows[0]?.key ?? '';
}

export interface PostgresErasures extends ErasureTable {
  read(id: GuildId): Promise<KnownErasure | null>;
}

interface PostgresErasuresOptions {
  readonly db: PostgresDatabase;
  readonly writer: Pick<Writer, 'exclusively'>;
  readonly cipher: ErasureCipher;
}

export function openErasures({ db, writer, cipher }: PostgresErasuresOptions): PostgresErasures {
  const size = new SliceSize();

  /** Runs a slice. Those of several processes run one after another: they would wait for each other's rows in any order. */
  async function timed<T>(work: (tx: Transaction, limit: number) => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    // Read once: a slice of the other kind may end meanwhile, and change it.
    const limit = size.rows;
    const result = await transact(db, 'write', async (tx) => {
      await tx.execute(sql`SELECT pg_advisory_xact_lock(${ERASURE_LOCK})`);
      return work(tx, limit);
    });
    size.record(performance.now() - startedAt);
    return result;
  }

  /** Returns the newest erasure of a person, and whether they have changed something since. */
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
      // Without the lock of writers: most who may request it have changed nothing.
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
        // Changes are counted where they are found: retention may be deleting the same rows.
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
