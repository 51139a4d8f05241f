import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A built api. */
export interface Build {
  /** Its programs: the service, and the command that migrates a PostgreSQL database. */
  readonly main: string;
  readonly migrate: string;
}

/** The build that a `dist/main.js` is part of. */
export function buildOf(main: string): Build {
  return { main, migrate: join(dirname(main), 'cli', 'migrate.js') };
}

/** What makes the program out of the sources. */
const BUNDLE = fileURLToPath(new URL('../../../../build/bundle.mjs', import.meta.url));

const TAG = '9999_next_version';

/** What the next version adds to each store: a column that it reads and writes, and an index. */
const STORES = [
  { store: 'sqlite', column: 'text()', sql: 'ALTER TABLE `guilds` ADD `note` text' },
  { store: 'postgres', column: "text().default('next')", sql: 'ALTER TABLE "guilds" ADD COLUMN "note" text' },
] as const;

/** The last column of a schema's table of guilds. */
const LAST_COLUMN = /^ +updatedAt: .*,$/m;

/**
 * Makes the version after a build in a folder: the same but for a migration more, and a schema that names the column which
 * the migration adds, so that it works on no database from before.
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
    const schema = join('store', store, 'schema');
    // The program is made of the sources, the commands are what tsc made of them.
    for (const file of [join('src', `${schema}.ts`), join('dist', `${schema}.js`)]) {
      await edit(join(folder, file), (text) => {
        if (!LAST_COLUMN.test(text)) throw new Error(`${file} has another last column of guilds than expected`);
        return text.replace(LAST_COLUMN, (line) => `${line}\n    note: ${column},`);
      });
    }
  }
  await promisify(execFile)(process.execPath, [BUNDLE], { cwd: folder });
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
    if (last === undefined) throw new Error('There is no migration yet');
    const next = { ...last, idx: last.idx + 1, when: last.when + 1, tag: TAG };
    return JSON.stringify({ ...journal, entries: [...journal.entries, next] });
  });
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(path, change(await readFile(path, 'utf8')));
}
