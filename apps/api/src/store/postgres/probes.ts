import type { GuildId } from '@guild-settings/contract';
import { asc, desc, gt, inArray, sql } from 'drizzle-orm';
import { StoreUnavailableError } from '../store.ts';
import type { PostgresDatabase } from './database.ts';
import { lockMeta } from './epochs.ts';
import { changes, guilds, meta } from './schema.ts';
import { transact } from './transaction.ts';

const STEP_GUILDS = 10;

/** Time that a probe waits for the lock of writers, who hold it for one commit each. */
const LOCK_TIMEOUT_MS = 1_500;

export interface Probes {
  read(guildIds: readonly GuildId[]): Promise<void>;
  write(): Promise<void>;
}

/** Creates the probes of one process, which read all guilds in the order of revisions, a few at a time. */
export function openProbes(db: PostgresDatabase): Probes {
  let reached = 0;
  return {
    async read(guildIds) {
      const bounds = await db.select().from(meta);
      if (bounds.length === 0) throw new StoreUnavailableError('Expected one row in the table meta, found none');
      const walked = await db
        .select({ id: guilds.id, revision: guilds.revision })
        .from(guilds)
        .where(gt(guilds.revision, reached))
        .orderBy(asc(guilds.revision))
        .limit(STEP_GUILDS);
      const ids = [...guildIds, ...walked.map(({ id }) => id)];
      if (ids.length > 0) await db.select().from(guilds).where(inArray(guilds.id, ids));
      await db.select().from(changes).orderBy(desc(changes.revision)).limit(1);
      reached = walked.length < STEP_GUILDS ? 0 : (walked.at(-1)?.revision ?? 0);
    },

    async write() {
      await transact(db, 'write', async (tx) => {
        await tx.execute(sql.raw(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`));
        await lockMeta(tx);
        await tx.update(meta).set({ lastRevision: sql`${meta.lastRevision}` });
      });
    },
  };
}
