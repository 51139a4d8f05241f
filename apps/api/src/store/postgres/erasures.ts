import type { GuildId } from '@guild-settings/contract';
import { and, asc, count, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { SliceSize } from '../background-slice.ts';
import { type ErasureCipher, newErasureKey } from '../erasure/erasure-cipher.ts';
import { rowOfErasure } from '../erasure/erasure-rows.ts';
import { type ErasureTable, MAX_TOGETHER } from '../erasure/erasure-work.ts';
import type { KnownErasure } from '../store.ts';
import type { PostgresDatabase } from './database.ts';
import { withStoreErrors } from './failures.ts';
import { changes, erasures } from './schema.ts';
import { type Transaction, transact } from './transaction.ts';
import { addErasureRows, newestErasure } from './write-erasures.ts';
import type { Writer } from './writer.ts';

/** Key of the advisory lock of a slice: an arbitrary number that nothing else uses. */
const ERASURE_LOCK = 7_461_120_913;

/** Returns the key of the erasures of a database. */
export async function erasureKeyOf(db: PostgresDatabase): Promise<string> {
  await db.$client.query('UPDATE meta SET erasure_key = $1 WHERE erasure_key IS NULL', [newErasureKey()]);
  const { rows } = await db.$client.query<{ key: string }>('SELECT erasure_key AS key FROM meta');
  return rows[0]?.key ?? '';
}

/** Erasures of a PostgreSQL database. */
export interface PostgresErasures extends ErasureTable {
  /** Returns the newest erasure of a guild; null: none is known. */
  read(id: GuildId): Promise<KnownErasure | null>;
}

interface PostgresErasuresOptions {
  readonly db: PostgresDatabase;
  readonly writer: Pick<Writer, 'exclusively'>;
  readonly cipher: ErasureCipher;
}

/** Opens the erasures of a PostgreSQL database. */
export function openErasures({ db, writer, cipher }: PostgresErasuresOptions): PostgresErasures {
  const size = new SliceSize();

  /** Runs a slice. Those of several processes run one after another: they would wait for each other's rows in any order. */
  async function timed<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const result = await transact(db, 'write', async (tx) => {
      await tx.execute(sql`SELECT pg_advisory_xact_lock(${ERASURE_LOCK})`);
      return work(tx);
    });
    size.record(performance.now() - startedAt);
    return result;
  }

  return {
    async read(id) {
      const row = await withStoreErrors(() => newestErasure(db, cipher.hash('guild', id)));
      return row === undefined ? null : { revision: row.revision, at: row.at, wasPresent: row.wasPresent };
    },

    async forget(id, at) {
      return writer.exclusively(async (tx, revision) => {
        const row = rowOfErasure('person', id, { cipher, at, revision });
        const newest = await newestErasure(tx, row.hash);
        if (newest?.revision === revision) return { ...row, id: newest.id, at: newest.at };
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
          .limit(MAX_TOGETHER),
      ),

    eraseHistory: (id, revision) =>
      timed(async (tx) => {
        // What is left is counted where it is found: retention may be deleting the same rows.
        const { rows } = await tx.execute<{ found: number }>(sql`
          WITH step AS (
              SELECT revision FROM ${changes} WHERE guild_id = ${id} AND revision <= ${revision}
              ORDER BY revision LIMIT ${size.rows}),
            deleted AS (DELETE FROM ${changes} WHERE revision IN (SELECT revision FROM step))
          SELECT count(*)::integer AS found FROM step`);
        return rows[0]?.found === size.rows;
      }),

    erasePeople: (people, after) =>
      timed(async (tx) => {
        const { rows } = await tx.execute<{ last: string | null }>(sql`
          SELECT revision AS last FROM ${changes} WHERE revision > ${after} ORDER BY revision LIMIT 1 OFFSET ${size.rows - 1}`);
        const last = Number(rows[0]?.last ?? Number.MAX_SAFE_INTEGER);
        for (const { id, revision } of people) {
          await tx.execute(sql`
            UPDATE ${changes} SET actor_id = '' WHERE revision > ${after} AND revision <= ${Math.min(last, revision)}
            AND actor_kind = 'user' AND actor_id = ${id}`);
        }
        return people.some(({ revision }) => revision > last) ? last : null;
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
