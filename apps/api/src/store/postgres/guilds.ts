import type { GuildId } from '@guild-settings/contract';
import { handleWhen, retry } from 'cockatiel';
import DataLoader from 'dataloader';
import { sql } from 'drizzle-orm';
import { guildOf } from '../rows.ts';
import type { StoredGuild } from '../store.ts';
import type { PostgresDatabase } from './database.ts';
import { isConnectionLost } from './failures.ts';
import { guilds } from './schema.ts';

/** Guilds in one query. */
const MAX_BATCH_GUILDS = 200;

/** A lost connection must not fail all requests of the batch. */
const retryOnce = retry(handleWhen(isConnectionLost), { maxAttempts: 1 });

/**
 * Opens a loader of guilds. Requests of the same event loop iteration share one query, which is half of the cost of a request.
 * Nothing is cached: a query is sent after every request that it serves.
 */
export function openGuilds(db: PostgresDatabase): DataLoader<GuildId, StoredGuild | null> {
  const read = db
    .select()
    .from(guilds)
    .where(sql`${guilds.id} = ANY(${sql.placeholder('ids')})`)
    .prepare('read_guilds');
  return new DataLoader(
    async (ids) => {
      const rows = await retryOnce.execute(() => read.execute({ ids }));
      const found = new Map(rows.map((row) => [row.id, guildOf(row)]));
      return ids.map((id) => found.get(id) ?? null);
    },
    { cache: false, maxBatchSize: MAX_BATCH_GUILDS, batchScheduleFn: setImmediate },
  );
}
