import type { GuildId } from '@guild-settings/contract';
import { handleWhen, retry } from 'cockatiel';
import DataLoader from 'dataloader';
import { and, gt, ne, sql } from 'drizzle-orm';
import type { StoredGuild } from '../store.ts';
import type { PostgresDatabase } from './database.ts';
import { GUILD_AND_EPOCHS, storedGuildOf } from './epochs.ts';
import { isConnectionLost } from './failures.ts';
import { guilds } from './schema.ts';

const MAX_BATCH_GUILDS = 200;

/** A lost connection must not fail all requests of the batch. */
const retryOnce = retry(handleWhen(isConnectionLost), { maxAttempts: 1 });

export interface GuildReads {
  /**
   * Returns a guild; null: nothing is stored. Requests of the same event loop iteration share one query, which is half of the cost of
   * a request. Nothing is cached: a query is sent after every request that it serves.
   */
  load(id: GuildId): Promise<StoredGuild | null>;
  idsNotLeft(after: GuildId, limit: number): Promise<GuildId[]>;
}

export function openGuilds(db: PostgresDatabase): GuildReads {
  const read = db
    .select(GUILD_AND_EPOCHS)
    .from(guilds)
    .where(sql`${guilds.id} = ANY(${sql.placeholder('ids')})`)
    .prepare('read_guilds');
  const notLeft = db
    .select({ id: guilds.id })
    .from(guilds)
    .where(and(gt(guilds.id, sql.placeholder('after')), ne(guilds.presence, 'left')))
    .orderBy(guilds.id)
    .limit(sql.placeholder('limit'))
    .prepare('guilds_not_left');
  const loader = new DataLoader<GuildId, StoredGuild | null>(
    async (ids) => {
      const rows = await retryOnce.execute(() => read.execute({ ids }));
      const found = new Map(rows.map((row) => [row.guild.id, storedGuildOf(row)]));
      return ids.map((id) => found.get(id) ?? null);
    },
    { cache: false, maxBatchSize: MAX_BATCH_GUILDS, batchScheduleFn: setImmediate },
  );
  return {
    load: (id) => loader.load(id),
    idsNotLeft: async (after, limit) => (await notLeft.execute({ after, limit })).map(({ id }) => id),
  };
}
