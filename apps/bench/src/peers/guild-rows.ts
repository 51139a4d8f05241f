import type Database from 'better-sqlite3';

export interface GuildRow {
  readonly id: string;
  readonly name: string;
  readonly icon: string | null;
  readonly settings: string | Settings;
}

interface Settings {
  readonly prefix: string;
}

const DEFAULTS = { prefix: '!', announcement_channel: '', beta: false, language: 'en-US', enabledFeatures: [] };

export function recordOfRow({ id, name, icon, settings }: GuildRow) {
  return { id, name, icon, ...DEFAULTS, ...settingsOfRow(settings) };
}

export function settingsOfRow(settings: GuildRow['settings']): Settings {
  return typeof settings === 'string' ? (JSON.parse(settings) as Settings) : settings;
}

export function rowReader(db: Database.Database): (id: string) => GuildRow | undefined {
  const select = db.prepare<[string], GuildRow>('SELECT * FROM guilds WHERE id = ?');
  return (id) => select.get(id);
}
