import { setImmediate } from 'node:timers/promises';
import type { GuildId } from '@guild-settings/contract';
import type { LedgerTarget } from '../erasure/apply-ledger.ts';
import type { ErasureCipher } from '../erasure/erasure-cipher.ts';
import { type ErasureRow, rowOfAppliedErasure, rowOfErasure, rowOfErasureLine } from '../erasure/erasure-rows.ts';
import type { LedgerEntry } from '../erasure/ledger-lines.ts';
import type { StoredGuild } from '../store.ts';
import type { SqliteDatabase } from './database.ts';
import type { SqliteErasures } from './erasures.ts';
import { ledgers, meta } from './schema.ts';
import type { Statements } from './statements.ts';
import { transaction, withStoreErrors } from './transaction.ts';

const PAGE_ROWS = 5_000;

interface LedgerTargetOptions {
  readonly db: SqliteDatabase;
  readonly statements: Statements;
  readonly erasures: SqliteErasures;
  readonly cipher: ErasureCipher;
  readonly readGuild: (id: GuildId) => StoredGuild | null;
  readonly readLastRevision: () => number;
}

export function openLedgerTarget({ db, statements, erasures, cipher, ...options }: LedgerTargetOptions): LedgerTarget {
  const { readGuild, readLastRevision } = options;
  const requested = db.$client.prepare<[], LedgerEntry>(
    'SELECT id, kind, hash, at FROM erasures WHERE is_requested = 1',
  );
  const isKnown = db.$client.prepare<[string]>('SELECT 1 FROM erasures WHERE id = ?');
  const guildIds = db.$client
    .prepare<[string, number], string>('SELECT id FROM guilds WHERE id > ? ORDER BY id LIMIT ?')
    .pluck();
  const authors = db.$client.prepare<[number, number], { revision: number; id: string | null }>(
    `SELECT revision, CASE actor_kind WHEN 'user' THEN actor_id END AS id FROM changes
     WHERE revision > ? ORDER BY revision LIMIT ?`,
  );

  function eraseGuild(entry: LedgerEntry, id: GuildId): void {
    const revision = readLastRevision() + 1;
    const { at } = entry;
    const row: ErasureRow = {
      ...rowOfErasure('guild', id, { cipher, stored: readGuild(id), at, revision }),
      id: entry.id,
    };
    erasures.erase([{ guildId: id, hadState: true, row }]);
    statements.writeChange(rowOfErasureLine(cipher.seal(id), { at, revision, by: 'request' }));
    statements.writeLastRevision(revision);
  }

  return {
    async record(work) {
      const owner = withStoreErrors(() => {
        const { databaseId } = db.select({ databaseId: meta.databaseId }).from(meta).get() ?? { databaseId: '' };
        return { databaseId, ledgers: db.select().from(ledgers).all() };
      });
      const seen = await work(owner);
      if (seen === undefined) return;
      const write = db.insert(ledgers).values(seen).onConflictDoUpdate({ target: ledgers.id, set: seen });
      await transaction(db, () => write.run());
    },

    async forgetLedgers() {
      await transaction(db, () => db.delete(ledgers).run());
    },

    requested: async () => withStoreErrors(() => requested.all()),

    async *guildIds() {
      for (let after = ''; ; ) {
        const ids = withStoreErrors(() => guildIds.all(after, PAGE_ROWS));
        yield ids;
        if (ids.length < PAGE_ROWS) return;
        after = ids.at(-1) ?? after;
        await setImmediate();
      }
    },

    async *personIds() {
      for (let after = 0; ; ) {
        const rows = withStoreErrors(() => authors.all(after, PAGE_ROWS));
        yield [...new Set(rows.map(({ id }) => id))].filter((id) => id !== null && id !== '') as string[];
        if (rows.length < PAGE_ROWS) return;
        after = rows.at(-1)?.revision ?? after;
        await setImmediate();
      }
    },

    newestRevision: async () => withStoreErrors(readLastRevision),

    async apply(entry, found) {
      await transaction(db, () => {
        if (isKnown.get(entry.id) !== undefined) return;
        if (entry.kind === 'guild' && found !== undefined) eraseGuild(entry, found.id);
        else erasures.add(rowOfAppliedErasure(entry, found?.revision));
      });
    },
  };
}
