import Database from 'better-sqlite3';

/**
 * Opens a temporary SQLite database, which keeps only its cache in memory and is deleted by the system when the process
 * ends for any reason. Writes are never committed.
 */
export function temporaryDatabase(table: string): Database.Database {
  // An empty name: https://www.sqlite.org/inmemorydb.html#temp_db
  const db = new Database('');
  db.pragma('journal_mode = OFF');
  db.exec(`CREATE TABLE ${table}; BEGIN`);
  return db;
}
