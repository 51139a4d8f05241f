import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Store } from '../store/store.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

/** How long changes are kept, and the settings of a guild that the bot has left, in milliseconds. */
export const RETENTION = { changes: 90 * DAY, leftGuilds: 30 * DAY } as const;

interface RetentionOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
}

/** Throws away what is past its time, once. */
export async function enforceRetention({ store, clock, log }: RetentionOptions): Promise<void> {
  const now = clock.nowMs();
  const pruned = await store.prune({
    now,
    changesBefore: now - RETENTION.changes,
    leftBefore: now - RETENTION.leftGuilds,
  });
  if (pruned.changes > 0 || pruned.guilds > 0) log.info(pruned, 'retention');
}

/** Throws away what is past its time, every hour from now on; the result stops it. */
export function startRetention(options: RetentionOptions): () => void {
  const run = () => {
    enforceRetention(options).catch((error: unknown) => options.log.warn({ err: error }, 'retention failed'));
  };
  run();
  const timer = setInterval(run, HOUR);
  timer.unref();
  return () => clearInterval(timer);
}
