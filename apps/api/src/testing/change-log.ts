import Database from 'better-sqlite3';

/** A row of the change log, as it is in the database file. */
export interface ChangeRow {
  readonly revision: number;
  readonly guild_id: string;
  readonly at: number;
  readonly actor_kind: string;
  readonly actor_id: string;
  readonly origin: string;
  readonly reason: string | null;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** The whole change log, read from the database file behind the service's back. */
export function readChanges({ databasePath }: { readonly databasePath: string }): ChangeRow[] {
  const db = new Database(databasePath, { readonly: true });
  try {
    const rows = db.prepare('SELECT * FROM changes ORDER BY revision').all() as (Omit<ChangeRow, 'before' | 'after'> & {
      before: string;
      after: string | null;
    })[];
    return rows.map((row) => ({
      ...row,
      before: JSON.parse(row.before),
      after: row.after === null ? null : JSON.parse(row.after),
    }));
  } finally {
    db.close();
  }
}
