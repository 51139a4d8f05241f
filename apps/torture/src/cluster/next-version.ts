import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgramToEnd } from '@guild-settings/testing';

export interface Build {
  readonly main: string;
  readonly migrate: string;
}

export function buildOf(main: string): Build {
  return { main, migrate: join(dirname(main), 'migrate.js') };
}

const BUNDLE = fileURLToPath(new URL('../../../../scripts/bundle-program.mjs', import.meta.url));

const TAG = '9999_next_version';

/** The changes of the next version to each store: a column, and an index. */
const STORES = [
  { store: 'sqlite', column: 'text()', sql: 'ALTER TABLE `guilds` ADD `note` text' },
  { store: 'postgres', column: "text().default('next')", sql: 'ALTER TABLE "guilds" ADD COLUMN "note" text' },
] as const;

const LAST_COLUMN = /^ +updatedAt: .*,$/m;

/**
 * Builds the next version of a build in a folder: it has one more migration, and a schema with the column that the
 * migration adds, so it cannot use a database that is not migrated.
 */
export async function buildNextVersion({ main }: Build, folder: string): Promise<Build> {
  const from = dirname(dirname(main));
  await mkdir(folder);
  for (const part of ['src', 'dist', 'package.json'])
    await cp(join(from, part), join(folder, part), { recursive: true });
  await symlink(join(from, 'node_modules'), join(folder, 'node_modules'));
  for (const { store, column, sql } of STORES) {
    const migrations = join('src', 'store', store, 'migrations');
    await addMigration(join(folder, migrations), [sql, 'CREATE INDEX guilds_note ON guilds (note)']);
    const schema = join('src', 'store', store, 'schema.ts');
    await edit(join(folder, schema), (text) => {
      if (!LAST_COLUMN.test(text)) throw new Error(`Expected updatedAt as the last column of guilds in ${schema}`);
      return text.replace(LAST_COLUMN, (line) => `${line}\n    note: ${column},`);
    });
  }
  const programs = ['main', 'cli/migrate', 'store/sqlite/checkpoint-thread'];
  await runProgramToEnd({ args: [BUNDLE, ...programs], cwd: folder });
  return buildOf(join(folder, 'dist', 'main.js'));
}

interface Journal {
  readonly entries: readonly { readonly idx: number; readonly when: number }[];
}

async function addMigration(folder: string, statements: readonly string[]): Promise<void> {
  await writeFile(join(folder, `${TAG}.sql`), statements.join(';\n--> statement-breakpoint\n'));
  await edit(join(folder, 'meta', '_journal.json'), (text) => {
    const journal = JSON.parse(text) as Journal;
    const last = journal.entries.at(-1);
    if (last === undefined) throw new Error('Expected at least one migration');
    const next = { ...last, idx: last.idx + 1, when: last.when + 1, tag: TAG };
    return JSON.stringify({ ...journal, entries: [...journal.entries, next] });
  });
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(path, change(await readFile(path, 'utf8')));
}
