import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { StoreUnavailableError } from '../store.ts';

/**
 * Values of `synchronous_commit` with which a commit is flushed to the disk when it returns, also on the synchronous standby
 * if there is one. `local` and `remote_write` do not wait for the disk of the standby, `off` waits for none.
 * @see https://www.postgresql.org/docs/current/runtime-config-wal.html#GUC-SYNCHRONOUS-COMMIT
 */
const DURABLE = ['on', 'remote_apply'];

/** The value of `synchronous_commit` in this session, for selecting it with other values in one round trip. */
export const SYNCHRONOUS_COMMIT = sql<string>`current_setting('synchronous_commit')`;

const SET_DURABLE = `SELECT set_config('synchronous_commit', 'on', false)
  WHERE current_setting('synchronous_commit') NOT IN ('${DURABLE.join("', '")}')`;

/**
 * Makes every commit of a session wait for the disk, whatever the server, the database or the role configures. It is a
 * statement and not a startup parameter: poolers reject startup parameters that they do not know.
 */
export async function commitDurably(client: pg.ClientBase): Promise<void> {
  await client.query(SET_DURABLE);
}

/** @throws StoreUnavailableError when a session does not wait for the disk, as behind a pooler that resets the setting */
export function requireDurable(synchronousCommit: string): void {
  if (DURABLE.includes(synchronousCommit)) return;
  throw new StoreUnavailableError(
    `Expected synchronous_commit "on" after it was set, received "${synchronousCommit}": acknowledged changes could be lost. Connect without a pooler, or by one in session mode.`,
  );
}

/**
 * Checks at the start that commits of this process are durable.
 * @returns settings of the server that risk acknowledged changes, and that a session cannot change
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
      'PostgreSQL runs with fsync=off: a loss of power loses acknowledged changes, or the database. Set it to on.',
    );
  }
  if (settings?.pages === 'off') {
    risks.push('PostgreSQL runs with full_page_writes=off: a loss of power can damage the database. Set it to on.');
  }
  return risks;
}
