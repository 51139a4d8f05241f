import { resolve } from 'node:path';
import { DECLARATION_LIMITS, maxRecordBytes } from '@guild-settings/contract';
import { type Declaration, DeclaredSettings } from '@guild-settings/contract/settings';
import { flag, operand, optional, text, type ValueType } from '@guild-settings/runtime/command-line';
import { callerFolder } from '../config.ts';
import { declarationTag } from '../declaration/declaration-tag.ts';
import { readDeclaration } from '../declaration/read-declaration.ts';
import { readFileOrModule } from '../declaration/read-module.ts';
import { DATABASE_URL, runCommand } from './command-line.ts';
import { compareDeclaration } from './compare-declaration.ts';

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
