import Database from 'better-sqlite3';
import type { BenchContext } from '../context.ts';
import { type SeededFile, seedSqlite } from './sqlite-file.ts';

/** The history of a file's guilds, before the one change that each guild has. */
export interface HistoryShape {
  readonly guilds: number;
  readonly changes: number;
  /** The interval at which a change is of the first guild. The other guilds take turns with the others. */
  readonly firstGuildEvery: number;
}

export async function seedHistory(context: BenchContext, name: string, shape: HistoryShape): Promise<SeededFile> {
  const { guilds, changes, firstGuildEvery } = shape;
  const seeded = await seedSqlite(context, name, guilds);
  context.progress(`adding ${changes.toLocaleString('en')} changes`);
  const file = new Database(seeded.path);
  file.pragma('synchronous = OFF');
  const insert = file.prepare(
    `INSERT INTO changes (revision, guild_id, at, actor_kind, actor_id, origin, reason, before, after)
     VALUES (?, ?, ?, 'user', '53908099506183680', 'rest', ?, ?, ?)`,
  );
  file.transaction(() => {
    // The newest change of each guild stays the newest.
    file.prepare('UPDATE changes SET revision = revision + ?').run(changes);
    file.prepare('UPDATE guilds SET revision = revision + ?').run(changes);
    file.prepare('UPDATE meta SET last_revision = last_revision + ?').run(changes);
    const now = Date.now();
    for (let revision = 1; revision <= changes; revision++) {
      const id = seeded.ids[revision % firstGuildEvery === 0 ? 0 : revision % guilds];
      insert.run(revision, id, now, ...contentOf(revision));
    }
  })();
  file.pragma('wal_checkpoint(TRUNCATE)');
  file.close();
  return seeded;
}

function contentOf(revision: number): readonly [reason: string | null, before: string, after: string] {
  const n = revision % 1_000;
  if (revision % 3 === 0) return [null, `{"prefix":"${n}"}`, `{"prefix":"${n + 1}"}`];
  if (revision % 3 === 1) {
    return ['requested by the team', '{"beta":false,"language":"en-US"}', '{"beta":true,"language":"ja"}'];
  }
  return [null, '{"enabledFeatures":[]}', '{"enabledFeatures":["reminders","welcome"]}'];
}
