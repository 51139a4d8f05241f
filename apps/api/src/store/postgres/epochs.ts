import { randomUUID } from 'node:crypto';
import type { Cursor } from '@guild-settings/contract';
import { asc, eq, gt, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { epochMark } from '../epoch-mark.ts';
import { type GuildRow, guildOf } from '../rows.ts';
import { type StoredGuild, StoreUnavailableError } from '../store.ts';
import { requireDurable, SYNCHRONOUS_COMMIT } from './durable-commits.ts';
import { epochs, guilds, meta } from './schema.ts';
import type { Transaction } from './transaction.ts';

/**
 * Identifies this run of the server on these very tables. Every process that is connected to it computes the same value. A
 * database that was restored from a copy has another one: its server was restarted, or its tables were created again.
 */
const SERVER_RUN = sql<string>`concat_ws('/',
  extract(epoch FROM pg_postmaster_start_time()),
  (SELECT oid FROM pg_database WHERE datname = current_database()),
  pg_relation_filenode('meta'))`;

const PRESENT_EPOCH = sql<
  string | null
>`(SELECT ${epochs.epoch} FROM ${epochs} WHERE ${epochs.serverRun} = ${SERVER_RUN})`;

/** Returns the id of the epoch in which a revision was made; null: it is not kept. */
export function epochOf(revision: SQLWrapper): SQL<string | null> {
  return sql<string | null>`(
    SELECT ${epochs.epoch} FROM ${epochs} WHERE ${epochs.since} < ${revision} ORDER BY ${epochs.number} DESC LIMIT 1)`;
}

/** The columns of a guild, and the epochs of its revisions. */
export const GUILD_AND_EPOCHS = {
  guild: guilds,
  record: epochOf(guilds.revision),
  access: epochOf(guilds.accessRevision),
};

/** Returns a guild with the marks of its epochs. */
export function storedGuildOf({ guild, record, access }: SelectedGuild): StoredGuild {
  return guildOf(guild, {
    record: guild.revision === 0 ? '' : epochMark(record),
    access: guild.accessRevision === null ? '' : epochMark(access),
  });
}

interface SelectedGuild {
  readonly guild: GuildRow;
  readonly record: string | null;
  readonly access: string | null;
}

/** Returns the epoch of this run of the server; undefined: none has begun yet. */
export async function readEpoch(tx: Transaction): Promise<string | undefined> {
  const [current] = await tx.select().from(epochs).where(eq(epochs.serverRun, SERVER_RUN));
  return current?.epoch;
}

/** Locks the one row of `meta` until the transaction ends, so that no other transaction writes meanwhile. */
export async function lockMeta(tx: Transaction): Promise<LockedMeta> {
  return checkMeta(tx, await selectMeta(tx));
}

/** Sends the statement of {@link lockMeta}, which also reads whether the commit will wait for the disk. */
export async function selectMeta(tx: Transaction): Promise<readonly SelectedMeta[]> {
  return tx
    .select({
      lastRevision: meta.lastRevision,
      oldestRevision: meta.oldestRevision,
      epoch: PRESENT_EPOCH,
      synchronousCommit: SYNCHRONOUS_COMMIT,
    })
    .from(meta)
    .for('update');
}

/**
 * Checks what {@link selectMeta} has read. The first write transaction of a run of the server begins an epoch.
 * @throws StoreUnavailableError when the commit would not wait for the disk
 */
export async function checkMeta(tx: Transaction, [bounds]: readonly SelectedMeta[]): Promise<LockedMeta> {
  if (bounds === undefined) throw new StoreUnavailableError('Expected one row in the table meta, found none');
  requireDurable(bounds.synchronousCommit);
  // The statement's snapshot may be from before it waited for the lock.
  const epoch = bounds.epoch ?? (await readEpoch(tx)) ?? (await beginEpoch(tx, bounds.lastRevision));
  return { ...bounds, epoch: epochMark(epoch) };
}

async function beginEpoch(tx: Transaction, since: number): Promise<string> {
  const epoch = randomUUID();
  await tx.insert(epochs).values({ epoch, since, serverRun: SERVER_RUN });
  return epoch;
}

interface SelectedMeta extends Omit<LockedMeta, 'epoch'> {
  readonly epoch: string | null;
  readonly synchronousCommit: string;
}

/** The newest revision, and the oldest one of which the change log is complete. They do not change while `meta` is locked. */
export interface LockedMeta {
  readonly lastRevision: number;
  readonly oldestRevision: number;
  /** The mark of the present epoch. */
  readonly epoch: string;
}

/** Returns whether this database holds all that a cursor has seen, and the change log still reaches back to the cursor. */
export async function canResume(tx: Transaction, { epoch, revision }: Cursor): Promise<boolean> {
  const [bounds] = await tx.select({ lastRevision: meta.lastRevision, oldestRevision: meta.oldestRevision }).from(meta);
  const [begun] = await tx.select().from(epochs).where(eq(epochs.epoch, epoch));
  if (bounds === undefined || begun === undefined) return false;
  const later = tx.select().from(epochs).where(gt(epochs.number, begun.number));
  const [next] = await later.orderBy(asc(epochs.number)).limit(1);
  return revision <= (next?.since ?? bounds.lastRevision) && revision >= bounds.oldestRevision - 1;
}
