import type Database from 'better-sqlite3';

/** A row of the service's table. */
export interface GuildRow {
  readonly id: string;
  readonly name: string;
  readonly icon: string | null;
  readonly prefix: string;
  readonly announcement_channel: string;
  readonly beta: number | boolean;
  readonly language: string;
  readonly enabled_features: string | string[];
}

/** Returns the record of a row. */
export function recordOfRow(row: GuildRow) {
  return {
    id: row.id,
    name: row.name,
    icon: row.icon,
    prefix: row.prefix,
    announcement_channel: row.announcement_channel,
    beta: Boolean(row.beta),
    language: row.language,
    enabledFeatures:
      typeof row.enabled_features === 'string' ? (JSON.parse(row.enabled_features) as string[]) : row.enabled_features,
  };
}

/** Reads rows from a SQLite file. */
export function rowReader(db: Database.Database): (id: string) => GuildRow | undefined {
  const select = db.prepare<[string], GuildRow>('SELECT * FROM guilds WHERE id = ?');
  return (id) => select.get(id);
}
