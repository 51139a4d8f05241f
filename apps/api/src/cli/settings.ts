import { resolve } from 'node:path';
import { DECLARATION_LIMITS, maxRecordBytes, type SetValues } from '@guild-settings/contract';
import {
  CUSTOM,
  counted,
  type Declaration,
  DeclaredSettings,
  flawsOf,
  inEffect,
  type Setting,
} from '@guild-settings/contract/settings';
import { flag, operand, optional, text, type ValueType } from '@guild-settings/runtime/command-line';
import type { DatabaseConfig } from '@guild-settings/runtime/environment';
import { callerFolder } from '../config.ts';
import { declarationTag, readDeclaration } from '../declaration/read-declaration.ts';
import { readFileOrModule } from '../declaration/read-module.ts';
import { isWidened, kindOf, lossesOf, wasLine } from '../domain/serve-declaration.ts';
import type { DeclarationStore, ServedDeclaration } from '../store/store.ts';
import { DATABASE_URL, runCommand } from './command-line.ts';

const CHECK: ValueType<'check'> = {
  placeholder: 'COMMAND',
  expected: 'check',
  parse: (word) => (word === 'check' ? word : undefined),
};

const PROGRAM = {
  summary: `Checks the declaration of a team's settings in a .json, .ts or .js file, and prints every flaw with its path. Modules are bundled
and run. Their declaration is the export settings, or the default one.`,
  usage: [
    'npx --yes pnpm@12 run settings check settings.ts',
    'npx --yes pnpm@12 run settings check settings.ts --json > settings.json',
    'npx --yes pnpm@12 run settings check settings.ts --database file:./data/guild-settings.db',
  ],
  options: {
    command: operand(CHECK, 'check'),
    file: operand(text('FILE'), 'the file with the declaration'),
    database: optional(DATABASE_URL, 'the database of the service: print what changes for its guilds'),
    json: flag('print the declaration as JSON, for the SETTINGS_FILE of the service'),
  },
};

const BATCH = 1_000;

await runCommand(PROGRAM, async ({ file, database, json }) => {
  const declaration = readDeclaration(resolve(callerFolder(), file), readFileOrModule);
  if (json) return JSON.stringify(declaration, null, 2);
  const changes = database && (await compareDeclaration(database, new DeclaredSettings(declaration)));
  return [summaryOf(declaration), ...(changes ?? [])].join('\n');
});

function summaryOf(declaration: Declaration): string {
  const counts = (['settings', 'groups', 'features', 'defaults'] as const).map((part) => {
    return `${part}: ${Object.keys(declaration[part] ?? {}).length}`;
  });
  const bytes = maxRecordBytes(new DeclaredSettings(declaration));
  return [
    `The declaration has no flaws (${counts.join(', ')}).`,
    `The largest possible record has ${bytes} of at most ${DECLARATION_LIMITS.recordBytes} bytes.`,
    `Tag: ${declarationTag(declaration)}`,
  ].join('\n');
}

async function compareDeclaration(database: DatabaseConfig, settings: DeclaredSettings): Promise<string[]> {
  const reader = await openSettingsReader(database);
  try {
    const served = await reader.readDeclaration();
    const changes = changesOf(settings, served, await count(reader.all(), settings));
    const head =
      served === null ? 'This database has not been served with a declaration yet.' : `Last served: ${served.tag}.`;
    return [head, ...(changes.length === 0 ? ['Nothing changes for the settings that guilds have.'] : changes)];
  } finally {
    await reader.close();
  }
}

/** Returns a line for each setting whose change affects guilds. */
function changesOf(
  { custom = [] }: DeclaredSettings,
  served: ServedDeclaration | null,
  { set, invalid, guilds }: Counts,
): string[] {
  const { kinds = {}, names = {} } = served ?? {};
  const setIn = (field: string) => set.get(field) ?? 0;
  const gone = Object.keys(kinds).filter(
    (field) => field.startsWith(CUSTOM) && setIn(field) > 0 && !custom.some((setting) => setting.field === field),
  );
  const losses = lossesOf(custom, served, setIn);
  const lines = custom.flatMap((setting) => {
    const { field, shownField, was } = setting;
    const [before, kind, users] = [kinds[field], kindOf(setting), counted(setIn(field), 'guild')];
    const lost = losses.filter((loss) => loss.field === shownField);
    if (lost.length > 0) {
      return lost.map(({ why, wayOut }) => `! ${shownField}: ${why}: the service will not start. ${wayOut}`);
    }
    if (before === undefined) {
      const renamed = renamedFrom(setting, gone, { custom, kinds, names });
      const question = renamed === undefined ? '' : `. Renamed? (was: ${wasLine(renamed)})`;
      return [`+ ${shownField}: new (${kind}); the default applies in ${counted(guilds, 'guild')}${question}`];
    }
    if (setIn(field) === 0) return [];
    const lastName = names[field]?.at(-1) ?? field.slice(CUSTOM.length);
    const kept = [
      ...(lastName === setting.name || was.length === 0 ? [] : [`was ${lastName}`]),
      ...(isWidened(before, kind) ? [`was ${before}, is ${kind}`] : []),
    ];
    const unfit = invalid.get(field) ?? 0;
    return [
      ...(kept.length === 0 ? [] : [`= ${shownField}: ${kept.join('; ')}; the values in ${users} are kept`]),
      ...(unfit === 0
        ? []
        : [
            `~ ${shownField}: no longer valid in ${counted(unfit, 'guild')}; stored values stay until they are changed`,
          ]),
    ];
  });
  const unused = gone
    .toSorted()
    .filter((field) => !losses.some(({ lost }) => lost === field))
    .map((field) => `- ${field}: not declared; the values in ${counted(setIn(field), 'guild')} are kept, and unused`);
  return [...lines, ...unused];
}

/**
 * Returns the names of a setting that is no longer declared and that a new one may have replaced; undefined if there is
 * not exactly one candidate.
 */
function renamedFrom(
  setting: Setting,
  gone: readonly string[],
  { custom, kinds, names }: { readonly custom: readonly Setting[] } & Required<Omit<ServedDeclaration, 'tag'>>,
): readonly string[] | undefined {
  const kind = kindOf(setting);
  const [from, other] = gone.filter((field) => kinds[field] === kind);
  const fresh = custom.filter((one) => kinds[one.field] === undefined && kindOf(one) === kind);
  if (from === undefined || other !== undefined || fresh.length > 1 || setting.was.length > 0) return undefined;
  return [from.slice(CUSTOM.length), ...(names[from] ?? [])];
}

interface Counts {
  readonly set: ReadonlyMap<string, number>;
  readonly invalid: ReadonlyMap<string, number>;
  readonly guilds: number;
}

/** Counts the guilds, the guilds that have set each field, and those whose value is invalid by the declaration. */
async function count(
  all: AsyncIterable<Readonly<Record<string, unknown>>>,
  { byField }: DeclaredSettings,
): Promise<Counts> {
  const [set, invalid] = [new Map<string, number>(), new Map<string, number>()];
  let guilds = 0;
  for await (const values of all) {
    guilds += 1;
    for (const [field, stored] of Object.entries(values)) {
      set.set(field, (set.get(field) ?? 0) + 1);
      const setting = byField.get(field);
      const value = setting && inEffect(setting, stored);
      const isValid = setting === undefined || (value !== undefined && flawsOf(setting, value).length === 0);
      if (!isValid) invalid.set(field, (invalid.get(field) ?? 0) + 1);
    }
  }
  return { set, invalid, guilds };
}

/** The set values of all guilds, read from a database that a service may be using. */
interface SettingsReader extends Pick<DeclarationStore, 'readDeclaration'> {
  all(): AsyncIterable<SetValues>;
  close(): Promise<void>;
}

async function openSettingsReader(database: DatabaseConfig): Promise<SettingsReader> {
  return database.kind === 'sqlite' ? openSqlite(database.path) : openPostgres(database.url);
}

async function openSqlite(path: string): Promise<SettingsReader> {
  const [{ default: Database }, { drizzle }, { openDeclarations }] = await Promise.all([
    import('better-sqlite3'),
    import('drizzle-orm/better-sqlite3'),
    import('../store/sqlite/small-tables.ts'),
  ]);
  const client = new Database(path, { readonly: true, fileMustExist: true });
  const { readDeclaration } = openDeclarations(drizzle({ client }));
  const read = client.prepare<[string, number], { id: string; settings: string }>(
    'SELECT id, settings FROM guilds WHERE id > ? ORDER BY id LIMIT ?',
  );
  return {
    readDeclaration,
    async *all() {
      yield* batches(async (after) =>
        read.all(after, BATCH).map(({ id, settings }) => ({ id, settings: JSON.parse(settings) as SetValues })),
      );
    },
    async close() {
      client.close();
    },
  };
}

async function openPostgres(url: string): Promise<SettingsReader> {
  const [{ openPool }, { openDeclarations }, { guilds }, { asc, gt }] = await Promise.all([
    import('../store/postgres/database.ts'),
    import('../store/postgres/small-tables.ts'),
    import('../store/postgres/schema.ts'),
    import('drizzle-orm'),
  ]);
  const db = openPool(url);
  const { readDeclaration } = openDeclarations(db);
  const columns = { id: guilds.id, settings: guilds.settings };
  return {
    readDeclaration,
    async *all() {
      yield* batches(async (after) =>
        db.select(columns).from(guilds).where(gt(guilds.id, after)).orderBy(asc(guilds.id)).limit(BATCH),
      );
    },
    close: () => db.$client.end(),
  };
}

async function* batches(
  readAfter: (id: string) => Promise<readonly { readonly id: string; readonly settings: SetValues }[]>,
): AsyncGenerator<SetValues, void> {
  let after = '';
  for (;;) {
    const rows = await readAfter(after);
    for (const { settings } of rows) yield settings;
    if (rows.length < BATCH) return;
    after = rows.at(-1)?.id ?? after;
  }
}
