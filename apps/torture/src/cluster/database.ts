import type { Snapshot } from '../history.ts';
import type { Retired, RetiredRows } from './retired.ts';

/** The database under the api processes, with what the harness does to it. */
export interface TorturedDatabase extends AsyncDisposable {
  /** What an api process is given as DATABASE_URL. */
  urlOf(process: number): string;
  /** Starts its server, if it has one and that does not run. Whether it answers then. */
  ensureUp(milliseconds: number): Promise<boolean>;
  read(): Promise<Snapshot>;
  /** Inserts rows for retention, as another process would: under the next revisions, in one transaction. Never rejects. */
  retire(rows: RetiredRows, retired: Retired): Promise<void>;
  /** Copies it; its users have been stopped. The result puts the copy in its place. */
  backUp(): Promise<() => Promise<void>>;
}

/** Where the copy of a database is put beside it. */
export const COPY = '.copy';
