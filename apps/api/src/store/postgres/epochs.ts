import { randomUUID } from 'node:crypto';
import type { Cursor } from '@guild-settings/contract';
import { asc, eq, gt, sql } from 'drizzle-orm';
import { StoreUnavailableError } from '../store.ts';
import { requireDurable, SYNCHRONOUS_COMMIT } from './durable-commits.ts';
import { meta, openings } from './schema.ts';
import type { Transaction } from './transaction.ts';

/**
 * Names this run of the server on these very tables. Every process that is connected to it computes the same. A database
 * that was put back from a copy has another: its server was started anew, or its tables were made anew.
 */
const INCARNATION = sql<string>`concat_ws('/',
  extract(epoch FROM pg_postmaster_start_time()),
  (SELECT oid FROM pg_database WHERE datname = current_database()),
  pg_relation_filenode('meta'))`;

/** Whether this run of the server has been noted. */
const IS_NOTED = sql<boolean>`EXISTS (SELECT FROM ${openings} WHERE ${openings.incarnation} = ${INCARNATION})`;

/** The epoch of this run of the server; undefined: nobody has noted it yet. */
export async function readEpoch(tx: Transaction): Promise<string | undefined> {
  const [opening] = await tx.select().from(openings).where(eq(openings.incarnation, INCARNATION));
  return opening?.epoch;
}

/**
 * Locks the one row of `meta` until the transaction ends, so that nobody else writes meanwhile, and gives the newest
 * revision. Checks in passing that the commit will wait for the disk. Whoever is the first to write after the server was started notes that, before there is anything new.
 */
export async function lockMeta(tx: Transaction): Promise<number> {
  const [bounds] = await tx
    .select({ lastRevision: meta.lastRevision, isNoted: IS_NOTED, synchronousCommit: SYNCHRONOUS_COMMIT })
    .from(meta)
    .for('update');
  if (bounds === undefined) throw new StoreUnavailableError('the database has lost its meta row');
  requireDurable(bounds.synchronousCommit);
  // What the statement saw may be from before it had to wait for the lock.
  if (!bounds.isNoted && (await readEpoch(tx)) === undefined) {
    const opening = { epoch: randomUUID(), since: bounds.lastRevision, incarnation: INCARNATION };
    await tx.insert(openings).values(opening);
  }
  return bounds.lastRevision;
}

/** Whether a cursor saw nothing but what this database holds, and the log still reaches back to it. */
export async function canResume(tx: Transaction, { epoch, revision }: Cursor): Promise<boolean> {
  const [bounds] = await tx.select().from(meta);
  const [opening] = await tx.select().from(openings).where(eq(openings.epoch, epoch));
  if (bounds === undefined || opening === undefined) return false;
  const [next] = await tx
    .select()
    .from(openings)
    .where(gt(openings.number, opening.number))
    .orderBy(asc(openings.number))
    .limit(1);
  return revision <= (next?.since ?? bounds.lastRevision) && revision >= bounds.oldestRevision - 1;
}
