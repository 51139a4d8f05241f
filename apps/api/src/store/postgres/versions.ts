import type { GuildId } from '@guild-settings/contract';
import { handleWhen, retry } from 'cockatiel';
import DataLoader from 'dataloader';
import { sql } from 'drizzle-orm';
import type { GuildVersion } from '../store.ts';
import type { PostgresDatabase } from './database.ts';
import { isConnectionLost } from './failures.ts';
import { guilds } from './schema.ts';

/** Guilds in one question. */
const BATCH = 200;

/** One lost connection is not to be the failure of everybody who asked together. */
const onceMore = retry(handleWhen(isConnectionLost), { maxAttempts: 1 });

/**
 * Reads versions: whoever asks in the same turn of the event loop asks in one question, and half of what a request costs is
 * the question. Nothing is kept, and no question is older than who asked it.
 */
export function openVersions(db: PostgresDatabase): DataLoader<GuildId, GuildVersion | null> {
  const read = db
    .select({ id: guilds.id, revision: guilds.revision, updatedAt: guilds.updatedAt, presence: guilds.presence })
    .from(guilds)
    .where(sql`${guilds.id} = ANY(${sql.placeholder('ids')})`)
    .prepare('read_versions');
  return new DataLoader(
    async (ids) => {
      const rows = await onceMore.execute(() => read.execute({ ids }));
      const versions = new Map(rows.map(({ id, ...version }) => [id, version]));
      return ids.map((id) => versions.get(id) ?? null);
    },
    { cache: false, maxBatchSize: BATCH, batchScheduleFn: setImmediate },
  );
}
