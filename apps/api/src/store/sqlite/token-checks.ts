import type { Store, TokenCheckRow } from '../store.ts';
import { MAX_TOKEN_CHECKS, TOKEN_CHECK_TTL_MS } from '../token-checks.ts';
import type { SqliteDatabase } from './database.ts';
import { transaction, withStoreErrors } from './transaction.ts';

export function openTokenChecks(
  db: SqliteDatabase,
): Pick<Store, 'keepTokenCheck' | 'forgetTokenCheck' | 'readTokenChecks'> {
  const { $client } = db;
  const deleteOld = $client.prepare<[number]>('DELETE FROM token_checks WHERE checked_at < ?');
  const keep = $client.prepare<[TokenCheckRow]>(
    `INSERT INTO token_checks (token_hash, application_id, checked_at, expires_at)
     VALUES (@tokenHash, @applicationId, @checkedAt, @expiresAt)
     ON CONFLICT (token_hash) DO UPDATE SET
       application_id = excluded.application_id, checked_at = excluded.checked_at, expires_at = excluded.expires_at`,
  );
  const forget = $client.prepare<[string]>('DELETE FROM token_checks WHERE token_hash = ?');
  const read = $client.prepare<[string, number], TokenCheckRow>(
    `SELECT token_hash AS tokenHash, application_id AS applicationId, checked_at AS checkedAt, expires_at AS expiresAt
     FROM token_checks WHERE application_id = ? ORDER BY checked_at DESC LIMIT ?`,
  );
  return {
    async keepTokenCheck(check) {
      await transaction(db, () => {
        deleteOld.run(check.checkedAt - TOKEN_CHECK_TTL_MS);
        keep.run(check);
      });
    },
    async forgetTokenCheck(tokenHash) {
      await transaction(db, () => forget.run(tokenHash));
    },
    async readTokenChecks(applicationId) {
      return withStoreErrors(() => read.all(applicationId, MAX_TOKEN_CHECKS));
    },
  };
}
