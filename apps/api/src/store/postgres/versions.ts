import type { GuildId } from '@guild-settings/contract';
import { handleWhen, retry } from 'cockatiel';
import DataLoader from 'dataloader';
import { sql } from 'drizzle-orm';
import type { GuildVersion } from '../store.ts';
import type { PostgresDatabase } from './database.ts';
import { isConnectionLost } from './failures.ts';
import { guilds } from './schema.ts';

/** Guilds in one query. */
const MAX_BATCH_GUILDS = 200;

/** A lost connection must not fail all requests of the batch. */
const retryOnce = retry(handleWhen(isConnectionLost), { maxAttempts: 1 });

/**
 * Opens a loader of the versions of guilds. Requests of the same event loop iteration share one query, which is half of the
 * cost of a request. Nothing is cached: a query is sent after every request that it serves.
 */
export function openVersions(db: PostgresDatabase): DataLoader<GuildId, GuildVersion | null> {
  const read = db
    .select({ id: guilds.id, revision: guilds.revision, updatedAt: guilds.updatedAt, presence: guilds.presence })
    .from(guilds)
    .where(sql`${guilds.id} = ANY(${sql.placeholder('ids')})`)
    .prepare('read_versions');
  return new DataLoader(
    async (ids) => {
      const rows = await retryOnce.execute(() => read.execute({ ids }));
      const versions = new Map(rows.map(({ id, ...version }) => [id, version]));
      return ids.map((id) => versions.get(id) ?? null);
    },
    { cache: false, maxBatchSize: MAX_BATCH_GUILDS, batchScheduleFn: setImmediate },
  );
}
