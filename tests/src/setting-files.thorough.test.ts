import { readdirSync, readFileSync } from 'node:fs';
import { SPECIFIED_SETTINGS } from '@guild-settings/contract';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';

/** A node of ESTree, with those of TypeScript. */
interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** A place where a name stands, and of what: the object, type or property that has it; empty: nothing with a name. */
interface Use {
  readonly name: string;
  readonly owner: string;
}

const ROOT = new URL('../../', import.meta.url);

/** Parts that are not production code: they measure, break and test the service. */
const NOT_PRODUCTION = ['bench', 'torture', 'discord-sim', 'testing'];

/** Tests, their kits, and texts. */
const NOT_CODE = /\.test(?:-d)?\.|\.d\.ts$|(?:^|\/)(?:testing|locales|texts)\//;

/** Names of what has the settings of a guild. */
const SETTINGS = /settings$|^(?:guild|record|before|after|draft|patch|defaults)$/i;

/** Other meanings of the names, by file and owner. */
const OTHER_MEANINGS: Readonly<Record<string, readonly RegExp[]>> = {
  // Of a feature, which may need beta features.
  beta: [/\/(?:list-)?features?(?:-input)?\.ts /],
  // The text before the name of a command, and the trigger that reads it.
  prefix: [
    /^apps\/bot\/src\/framework\/(?:invocation|command-texts|dispatch\/(?:dispatch-options|interaction-invocation))\.ts /,
  ],
  language: [
    // Of the reader.
    /^(?:apps\/dashboard\/src\/page|packages\/i18n)\//,
    // Of texts.
    /^apps\/bot\/.* translator$/i,
    // Of a reminder, as it was when the reminder was made.
    /^apps\/bot\/src\/reminders\//,
    // The type of the names that `Intl.DisplayNames` returns.
    / type$/,
  ],
};

/**
 * Returns where names stand in a syntax tree: names of properties that are read, written, declared or destructured, and texts that
 * are the name alone. Comments and longer texts are not counted.
 */
function* usesIn(node: Node, owner = ''): Generator<Use> {
  const { type, key, property, value } = node;
  let inner = owner;
  if (type === 'MemberExpression' && !node.computed) yield { name: nameOf(property), owner: nameOf(node.object) };
  else if (key !== undefined && key !== null && !node.computed) {
    yield { name: nameOf(key), owner };
    inner = nameOf(key);
  } else if (type === 'Literal') yield { name: String(value), owner };
  else if (type === 'TSIndexedAccessType') inner = nameOf(node.objectType);
  else if (type === 'ObjectPattern') inner = nameOf(node.typeAnnotation) || owner;
  else if (type === 'VariableDeclarator') inner = nameOf(node.init);
  else if (type !== 'TSLiteralType') inner = '';
  for (const name in node) {
    if (name === 'key' && !node.computed) continue;
    for (const child of [node[name]].flat()) if (isNode(child)) yield* usesIn(child, inner);
  }
}

/** Returns the last name of an expression or a type, such as `settings` of `invocation.settings`; empty: it has none. */
function nameOf(node: unknown): string {
  if (!isNode(node)) return '';
  const { name, property, callee, typeName, literal, indexType, typeAnnotation } = node;
  if (typeof name === 'string') return name;
  if (typeof node.value === 'string') return node.value;
  return nameOf([property, callee, typeName, literal, indexType, typeAnnotation].find(isNode));
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function isSetting({ name, owner }: Use, file: string): boolean {
  return SETTINGS.test(owner) || !OTHER_MEANINGS[name]?.some((other) => other.test(`${file} ${owner}`));
}

/** Returns the files of production code by the settings that they name. */
function filesBySetting(): ReadonlyMap<string, string[]> {
  const files = new Map(SPECIFIED_SETTINGS.all.map(({ name }) => [name, [] as string[]]));
  for (const file of productionFiles()) {
    const program = parseAst(readFileSync(new URL(file, ROOT), 'utf8'), { lang: file.endsWith('x') ? 'tsx' : 'ts' });
    const named = [...usesIn(program as unknown as Node)].filter((use) => files.has(use.name) && isSetting(use, file));
    for (const name of new Set(named.map((use) => use.name))) files.get(name)?.push(file);
  }
  return files;
}

function productionFiles(): string[] {
  const parts = ['apps', 'packages'].flatMap((folder) => {
    return readdirSync(new URL(folder, ROOT)).map((name) => ({ name, source: `${folder}/${name}/src` }));
  });
  return parts
    .filter(({ name }) => !NOT_PRODUCTION.includes(name))
    .flatMap(({ source }) => {
      const names = readdirSync(new URL(source, ROOT), { recursive: true, encoding: 'utf8' });
      return names.map((name) => `${source}/${name}`);
    })
    .filter((file) => /\.tsx?$/.test(file) && !NOT_CODE.test(file));
}

test('a specified setting is named in at most 13 files of code, one of which declares it', () => {
  const files = filesBySetting();
  expect(files.size).toBe(5);
  for (const [name, named] of files) {
    expect(named).toContain('packages/contract/src/settings/specified.ts');
    expect(named.length, `files that name ${name}:\n${named.join('\n')}`).toBeLessThanOrEqual(13);
  }
});
