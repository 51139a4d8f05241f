import { existsSync, statSync } from 'node:fs';
import { StoreUnavailableError } from '../store.ts';
import { openDatabase } from './database.ts';
import { lockDatabase } from './lock-database.ts';
import { rewriteFile } from './rewrite-file.ts';

/** Sizes of a file before and after it was rewritten. */
export interface CleanedFile {
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/**
 * Rewrites a SQLite file that no api serves, and records that its erasures left nothing.
 * @throws StoreUnavailableError when there is no such file, or another process uses it
 */
export async function cleanFile(path: string): Promise<CleanedFile> {
  if (!existsSync(path))
    throw new StoreUnavailableError(`Expected a database at ${path}, found no file. Check --database.`);
  const release = lockDatabase(path, 'Stop that process first: writes would have to wait for minutes.');
  try {
    const db = openDatabase(path, 'never');
    try {
      const bytesBefore = statSync(path).size;
      await rewriteFile(path);
      db.$client.exec('UPDATE erasures SET is_clean = 1 WHERE sealed IS NULL');
      db.$client.pragma('wal_checkpoint(TRUNCATE)');
      return { bytesBefore, bytesAfter: statSync(path).size };
    } finally {
      db.$client.close();
    }
  } finally {
    release();
  }
}
