import Database from 'better-sqlite3';
import type { BenchContext } from '../context.ts';
import { type SeededFile, seedSqlite } from './sqlite-file.ts';

/** The history of a file's guilds, before the one change that each guild has. */
export interface HistoryShape {
  readonly guilds: number;
  readonly changes: number;
  /** One change in this many is of the first guild; the guilds take turns with the others. 0: they take turns with all. */
  readonly firstGuildEvery: number;
  /** Time of the changes, in milliseconds since 1970. */
  readonly at: number;
}

/** Creates a database of guilds that were changed many times. */
export async function seedHistory(context: BenchContext, name: string, shape: HistoryShape): Promise<SeededFile> {
  const { guilds, changes, firstGuildEvery, at } = shape;
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
    for (let revision = 1; revision <= changes; revision++) {
      const isOfFirst = firstGuildEvery > 0 && revision % firstGuildEvery === 0;
      const id = isOfFirst ? seeded.ids[0] : seeded.ids[revision % guilds];
      insert.run(revision, id, at, ...contentOf(revision));
    }
  })();
  file.pragma('wal_checkpoint(TRUNCATE)');
  file.close();
  return seeded;
}

/** Returns the reason of a change, and the changed fields before and after it, as the service stores them. */
function contentOf(revision: number): readonly [reason: string | null, before: string, after: string] {
  const n = revision % 1_000;
  switch (revision % 3) {
    case 0:
      return [null, JSON.stringify({ prefix: `${n}` }), JSON.stringify({ prefix: `${n + 1}` })];
    case 1:
      return [
        'requested by the team',
        JSON.stringify({ beta: false, language: 'en-US' }),
        JSON.stringify({ beta: true, language: 'ja' }),
      ];
    default:
      return [null, '{"enabledFeatures":[]}', '{"enabledFeatures":["reminders","welcome"]}'];
  }
}
