import type { GuildId } from '@guild-settings/contract';
import { asc, eq, gt, sql } from 'drizzle-orm';
import type { LedgerTarget } from '../erasure/apply-ledger.ts';
import type { ErasureCipher } from '../erasure/erasure-cipher.ts';
import { rowOfAppliedErasure, rowOfErasure, rowOfErasureLine } from '../erasure/erasure-rows.ts';
import type { LedgerEntry } from '../erasure/ledger-lines.ts';
import { guildOf, NO_EPOCHS } from '../rows.ts';
import type { PostgresDatabase } from './database.ts';
import { withStoreErrors } from './failures.ts';
import { NOTIFY_COMMIT } from './listener.ts';
import { changes, erasures, guilds, ledgers, meta } from './schema.ts';
import { type Transaction, transact } from './transaction.ts';
import { addErasureRows, deleteGuilds } from './write-erasures.ts';
import type { Writer } from './writer.ts';

const PAGE_ROWS = 20_000;

/** Key of the advisory lock of the ledger's file: an arbitrary number that nothing else uses. */
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
