import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { eq, lt } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import { migrationsBefore, viewForVersionBefore } from '../../testing/earlier-migrations.ts';
import { A, openTestSqlite, prefix } from '../../testing/store-commands.ts';

/** The table of epochs as the version before `0005_epochs` knows it. */
const epochsBefore = sqliteTable((await viewForVersionBefore('sqlite', '0005_epochs')).name, {
  number: integer().primaryKey({ autoIncrement: true }),
  epoch: text().notNull(),
  since: integer().notNull(),
});

/** Begins an epoch with the statements of the version before `0005_epochs`. */
function openAsBefore(path: string, epoch: string, since: number) {
  const db = drizzle(new Database(path));
  const { number } = db.insert(epochsBefore).values({ epoch, since }).returning().get();
  db.delete(epochsBefore)
    .where(lt(epochsBefore.number, number - 1_000))
    .run();
  const found = db.select().from(epochsBefore).where(eq(epochsBefore.epoch, epoch)).get();
  db.$client.close();
  return found;
}

test('a file from before the table of epochs keeps its rows and cursors, and the version before can open it again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'guild-settings-upgrade-'));
  const path = join(folder, 'test.db');
  try {
    await using migrations = await migrationsBefore('sqlite', '0005_epochs');
    const db = drizzle(new Database(path));
    migrate(db, { migrationsFolder: migrations.folder });
    db.$client.exec(
      `INSERT INTO meta VALUES (1, 'database', 3, 1, NULL);
       INSERT INTO guilds (id, prefix, announcement_channel, beta, language, enabled_features, revision, presence, updated_at)
       VALUES ('${A}', '?', '', 0, 'en-US', '[]', 3, 'present', 1)`,
    );
    db.$client.close();
    openAsBefore(path, 'first', 0);
    openAsBefore(path, 'second', 2);

    const upgraded = openTestSqlite(path, 'always');
    const resumes = (epoch: string, revision: number) => upgraded.canResume({ epoch, revision });
    expect(await upgraded.read(A)).toMatchObject({ revision: 3, settings: { prefix: '?' } });
    expect(await Promise.all([resumes('first', 2), resumes('first', 3), resumes('second', 3)])).toEqual([
      true,
      false,
      true,
    ]);
    await upgraded.write(prefix([A], '!'));
    await upgraded.close();

    expect(openAsBefore(path, 'before', 4)).toMatchObject({ number: 4, since: 4 });
    const again = openTestSqlite(path);
    await again.write(prefix([A], '.'));
    expect(await again.canResume({ epoch: 'before', revision: 4 })).toBe(true);
    expect(await again.canResume({ epoch: 'before', revision: 5 })).toBe(false);
    await again.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
