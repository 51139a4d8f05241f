import { and, asc, desc, eq, gt, lt, sql } from 'drizzle-orm';
import type { HistoryRange } from '../store.ts';
import type { PostgresDatabase } from './database.ts';
import { changes } from './schema.ts';

export function prepareHistory(db: PostgresDatabase, order: HistoryRange['order']) {
  const { guildId, revision } = changes;
  const [isOfGuild, isAfter, isBefore] = [
    eq(guildId, sql.placeholder('guildId')),
    gt(revision, sql.placeholder('after')),
    lt(revision, sql.placeholder('before')),
  ];
  return db
    .select()
    .from(changes)
    .where(and(isOfGuild, isAfter, isBefore))
    .orderBy(order === 'oldest-first' ? asc(revision) : desc(revision))
    .limit(sql.placeholder('limit'))
    .prepare(`read_history_${order}`);
}
