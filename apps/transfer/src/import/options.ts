import { AuditReason, Snowflake } from '@guild-settings/contract';
import {
  choice,
  flag,
  optional,
  type Program,
  repeatable,
  required,
  text,
  UsageError,
  type Values,
  type ValueType,
  withDefault,
} from '@guild-settings/runtime/command-line';
import { callerPath, ENVIRONMENT_NOTES } from '../config.ts';
import {
  type FieldPath,
  type GivenMapping,
  type KeyPattern,
  parseFieldMap,
  parseKeyPattern,
} from '../mapping/mapping.ts';
import { type FieldScale, parseScale } from '../mapping/scale.ts';
import { type FieldReplacement, parseReplacement } from '../mapping/take-value.ts';
import { isKeyValueStore, SOURCE_KINDS, type SourceFile } from '../sources/open-source.ts';

const SOURCE: ValueType<SourceFile> = {
  placeholder: 'KIND:FILE',
  expected: `a kind and a file, such as keyv:settings.sqlite (kinds: ${SOURCE_KINDS.join(', ')})`,
  parse(given) {
    const kind = SOURCE_KINDS.find((one) => given.startsWith(`${one}:`));
    const path = given.slice((kind?.length ?? 0) + 1);
    return kind === undefined || path === '' ? undefined : { kind, path: callerPath(path) };
  },
};

const FIELD_MAP: ValueType<readonly FieldPath[]> = {
  placeholder: 'FIELD=PATH,...',
  expected: 'fields and paths such as prefix=prefix,language=settings.lang',
  parse: parseFieldMap,
};

const KEY_PATTERN: ValueType<KeyPattern> = {
  placeholder: 'PATTERN',
  expected: 'a pattern with {guild} and, where a key is about one field, {field}',
  parse: parseKeyPattern,
};

const REPLACEMENT: ValueType<FieldReplacement> = {
  placeholder: 'FIELD:FROM=TO',
  expected: 'a replacement such as language:de=en-US or language:*=en-US',
  parse: parseReplacement,
};

const SCALE: ValueType<FieldScale> = {
  placeholder: 'FIELD=/NUMBER',
  expected: 'arithmetic such as cooldown=/1000, xpRate=*100 or warns.minutes=/60000, with a number other than 0',
  parse: parseScale,
};

const USER: ValueType<string> = {
  placeholder: 'ID',
  expected: "a user's id",
  parse: (id) => Snowflake.safeParse(id).data,
};

const REASON: ValueType<string> = {
  placeholder: 'TEXT',
  expected: 'text of 1 to 512 characters',
  parse: (reason) => AuditReason.safeParse(reason).data,
};

const DELIMITER: ValueType<string> = {
  placeholder: 'CHARACTER',
  expected: 'one character, or tab',
  parse: (given) => (given === 'tab' ? '\t' : given.length === 1 ? given : undefined),
};

const OPTIONS = {
  from: required(SOURCE, 'what to read; the file is not changed, and a bot may be using it'),
  map: repeatable(
    FIELD_MAP,
    `where each setting is in a row: names and places in arrays, separated by dots,
and . for the whole value. Settings that the service declares have their own
names, and columns of a table the names in its rows: warns=warnings,warns.at=count.
Unless given, each setting under its own name`,
  ),
  key: optional(
    KEY_PATTERN,
    `the keys that are about guilds, such as settings.{guild} or {field}_{guild};
dots lead into objects. Unless given, {guild}, and keyv:{guild} in a file of Keyv`,
  ),
  guild: optional(text('PATH'), 'the path of the guild id in rows without a key (guild)'),
  table: optional(text('NAME'), 'the table, if the SQLite file has several'),
  delimiter: withDefault(DELIMITER, ',', 'the separator of the cells in a CSV file'),
  value: repeatable(
    REPLACEMENT,
    `takes one value of the file for another; may be repeated. FIELD:*=TO is for
values that could not be taken otherwise, and FIELD:\\*=TO for the value *`,
  ),
  scale: repeatable(
    SCALE,
    `arithmetic for the numbers of a setting, or of a column: cooldown=/1000 makes
seconds of milliseconds, xpRate=*100 or xpRate=100 makes 150 of 1.5; may be
repeated. Nothing is rounded. A text with a unit, such as 10m, stays as it is`,
  ),
  'empty-prefix': optional(
    choice('default', 'off'),
    `what an empty prefix becomes: the default prefix, or prefix commands
switched off. Unless given, it is asked on a terminal, and refused without one`,
  ),
  reason: optional(REASON, 'the reason in the history of each guild'),
  'on-behalf-of': optional(USER, 'the author in the history; the application unless given'),
  strict: flag('reject a whole row if one of its values is not valid'),
  rejects: optional(
    text('FILE'),
    `where what could not be taken is written, with the reasons
(data/import-rejected-<time>.ndjson, and none without an import)`,
  ),
  'dry-run': flag('show the difference, and change nothing'),
  yes: flag('import without showing the difference first and without a question'),
  json: flag('print the result as one line of JSON'),
};

/** Exit codes besides 0, 1 for failures, 2 for invalid arguments, and those of signals. */
export const EXIT_REJECTED = 3;

export const PROGRAM = {
  summary: `Imports settings of guilds from the file of a bot into the service.

It shows the difference and asks before it changes anything. It can be interrupted and run again: what was imported
already is not changed again. What cannot be taken is named, with the reason, and the rest is imported.`,
  usage: [
    'npx --yes pnpm@12 run import --from keyv:settings.sqlite --map prefix=prefix,language=lang',
    'npx --yes pnpm@12 run import --from quick.db:json.sqlite --key settings_{guild} --map beta=premium --dry-run',
    'npx --yes pnpm@12 run import --from csv:guilds.csv --guild server_id --map enabledFeatures=modules --yes',
    'npx --yes pnpm@12 run import --from json:guilds.json --map cooldown=cooldownMs --scale cooldown=/1000 --dry-run',
    'npx --yes pnpm@12 run import --from ndjson:export.ndjson --yes',
  ],
  options: OPTIONS,
  notes: `${ENVIRONMENT_NOTES}

Exit codes: 0 all was taken, 1 failure or declined, 2 wrong arguments, ${EXIT_REJECTED} something could not be taken, 130 and 143
interrupted. docs/moving-in.md has the rules by which values are converted.`,
} satisfies Program<typeof OPTIONS>;

export type ImportCommand = ReturnType<typeof commandOf>;

/**
 * Returns the command for the options.
 * @param canAsk true: a terminal is available for questions
 * @throws UsageError
 */
export function commandOf(options: Values<typeof OPTIONS>, canAsk: boolean) {
  const { from, map, key, guild, table, delimiter, value, scale, reason, rejects, strict, yes, json } = options;
  const isDryRun = options['dry-run'];
  if (yes && isDryRun) throw new UsageError('Expected --yes or --dry-run, received both.');
  if (!yes && !isDryRun && !canAsk) {
    throw new UsageError('Expected --yes or --dry-run, because there is no terminal to ask on.');
  }
  const hasKeys = isKeyValueStore(from.kind) || from.kind === 'json';
  if (key !== undefined && (!hasKeys || guild !== undefined)) {
    throw new UsageError(`Expected --key alone, and a file with keys, received ${hasKeys ? '--guild' : from.kind}.`);
  }
  const mapping: GivenMapping = {
    paths: map.flat(),
    guildPath: guild ?? (hasKeys ? undefined : 'guild'),
    keys: key ?? defaultKeys(from),
    replacements: value,
    scales: scale,
    emptyPrefix: options['empty-prefix'] ?? (canAsk && !yes ? 'ask' : 'refuse'),
  };
  const mode: 'ask' | 'dry-run' | 'apply' = isDryRun ? 'dry-run' : yes ? 'apply' : 'ask';
  return {
    source: from,
    table,
    delimiter,
    mapping,
    mayReplace: isKeyValueStore(from.kind),
    reason,
    onBehalfOf: options['on-behalf-of'],
    /** True: an invalid value rejects the whole row. */
    isStrict: strict,
    rejects: callerPath(rejects ?? `data/import-rejected-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.ndjson`),
    /** True: the file is also written if nothing is imported. */
    hasRejects: rejects !== undefined,
    mode,
    json,
  };
}

const GUILD_KEYS = parseKeyPattern('{guild}');
const KEYV_KEYS = parseKeyPattern('keyv:{guild}');

function defaultKeys({ kind }: SourceFile): KeyPattern {
  const keys = kind === 'keyv' ? KEYV_KEYS : GUILD_KEYS;
  if (keys === undefined) throw new Error('Expected a pattern');
  return keys;
}
