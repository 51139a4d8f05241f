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
  readonly after: Readonly<Record<string, unknown>>;
}

/** Reads the change log after a revision, the whole of it unless given, from the database file of a service that runs. */
export function readChanges({ databasePath }: { readonly databasePath: string }, after = 0): ChangeRow[] {
  const db = new Database(databasePath, { readonly: true });
  try {
    const rows = db.prepare<[number], Omit<ChangeRow, 'before' | 'after'> & { before: string; after: string }>(
      'SELECT * FROM changes WHERE revision > ? ORDER BY revision',
    );
    return rows.all(after).map((row) => ({ ...row, before: JSON.parse(row.before), after: JSON.parse(row.after) }));
  } finally {
    db.close();
  }
}
