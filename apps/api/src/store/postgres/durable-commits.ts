import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { StoreUnavailableError } from '../store.ts';

/**
 * The values of `synchronous_commit` under which a commit is on the disk when it returns, and on the synchronous standby's
 * where there is one. `local` and `remote_write` do not wait for the standby's disk, `off` waits for none.
 * @see https://www.postgresql.org/docs/current/runtime-config-wal.html#GUC-SYNCHRONOUS-COMMIT
 */
const DURABLE = ['on', 'remote_apply'];

/** The value of `synchronous_commit` in this session, selected with something else to save a round trip. */
export const SYNCHRONOUS_COMMIT = sql<string>`current_setting('synchronous_commit')`;

const RAISE = `SELECT set_config('synchronous_commit', 'on', false)
  WHERE current_setting('synchronous_commit') NOT IN ('${DURABLE.join("', '")}')`;

/**
 * Has every commit of a session wait for the disk, whatever the configuration of the server, database or role. A statement
 * and not a startup parameter: poolers refuse startup parameters that they do not know.
 */
export async function commitDurably(client: pg.ClientBase): Promise<void> {
  await client.query(RAISE);
}

/** @throws StoreUnavailableError when a session does not wait for the disk, as behind a pooler that drops what it set */
export function requireDurable(synchronousCommit: string): void {
  if (DURABLE.includes(synchronousCommit)) return;
  throw new StoreUnavailableError(
    `Expected synchronous_commit "on" after it was set, received "${synchronousCommit}": acknowledged changes could be lost. Connect without a pooler, or by one in session mode.`,
  );
}

/**
 * Checks once, at the start, that commits of this process are durable.
 * @returns what the server's own configuration risks, and a session cannot change; empty: nothing
 * @throws StoreUnavailableError when sessions do not wait for the disk
 */
export async function checkDurability({ $client: pool }: { readonly $client: pg.Pool }): Promise<readonly string[]> {
  const { rows } = await pool.query<{ commit: string; fsync: string; pages: string }>(
    `SELECT current_setting('synchronous_commit') AS commit, current_setting('fsync') AS fsync,
      current_setting('full_page_writes') AS pages`,
  );
  const settings = rows[0];
  requireDurable(settings?.commit ?? '');
  const risks: string[] = [];
  if (settings?.fsync === 'off') {
    risks.push(
      'PostgreSQL runs with fsync=off: the loss of power loses acknowledged changes, or the database. Set it on.',
    );
  }
  if (settings?.pages === 'off') {
    risks.push('PostgreSQL runs with full_page_writes=off: the loss of power can damage the database. Set it on.');
  }
  return risks;
}
