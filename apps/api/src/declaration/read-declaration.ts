import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { checkDeclaration, type ProblemIssue, pointerTo } from '@guild-settings/contract';
import { type Declaration, DeclaredSettings, type Setting } from '@guild-settings/contract/settings';
import { failureHint } from '@guild-settings/runtime/command-line';

/** The unvalidated data of a file, with flaws that the data does not show. */
export interface FileData {
  readonly data: unknown;
  readonly flaws: readonly DeclarationFlaw[];
}

export type ReadFile = (file: string) => FileData;

export function readDeclaration(file: string, read: ReadFile = readJsonFile): Declaration {
  const { data, flaws } = read(file);
  const checked = checkDeclaration(data);
  const all = [...flaws, ...(checked.flaws ?? [])];
  if (checked.declaration === undefined || all.length > 0) throw new DeclarationError(file, all);
  return checked.declaration;
}

export function readJsonFile(file: string): FileData {
  if (!file.endsWith('.json')) {
    const written = 'npx --yes pnpm@12 run settings check';
    throw fileFlaw(file, `expected a .json file. For a .ts or .js file, "${written} ${file} --json" prints the JSON`);
  }
  const text = readText(file);
  try {
    const data: unknown = JSON.parse(text);
    const flaws = duplicateKeys(text).map((path) => ({ path, message: 'expected once, received again' }));
    return { data, flaws };
  } catch (error) {
    throw fileFlaw(file, `expected JSON: ${error instanceof Error ? error.message : error}`);
  }
}

function readText(file: string): string {
  try {
    // Windows editors may begin a file with a byte order mark.
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw fileFlaw(file, `expected a readable file. ${failureHint(error)?.hint ?? error}`);
  }
}

export function fileFlaw(file: string, message: string): DeclarationError {
  return new DeclarationError(file, [{ path: [], message }]);
}

/** A flaw of a declaration; an empty path stands for its file. */
type DeclarationFlaw = Pick<ProblemIssue, 'path' | 'message'>;

/** Thrown when a file is not a valid declaration of settings. `message` has a line for each flaw. */
export class DeclarationError extends Error {
  override readonly name = 'DeclarationError';
  readonly flaws: readonly DeclarationFlaw[];

  constructor(file: string, flaws: readonly DeclarationFlaw[]) {
    const lines = flaws.map(({ path, message }) => `  ${[pointerTo(path), message].filter(Boolean).join(': ')}`);
    super([`${file} is not a valid declaration of settings:`, ...lines].join('\n'));
    this.flaws = flaws;
  }
}

/** A string or a structural character. Numbers and literals are skipped. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

interface Level {
  readonly keys: Set<string> | undefined;
  at: string | number;
}

/**
 * Returns the paths of keys that occur twice in an object of a JSON text: `JSON.parse` silently keeps the last one.
 * @param json a text that `JSON.parse` accepts
 */
export function duplicateKeys(json: string): (string | number)[][] {
  const duplicates: (string | number)[][] = [];
  const levels: Level[] = [];
  let isKey = false;
  for (const [token] of json.matchAll(TOKENS)) {
    const level = levels.at(-1);
    if (token === '{' || token === '[') levels.push({ keys: token === '{' ? new Set() : undefined, at: 0 });
    else if (token === '}' || token === ']') levels.pop();
    else if (token === ',' && typeof level?.at === 'number') level.at += 1;
    else if (isKey && level?.keys !== undefined && token.startsWith('"')) {
      level.at = String(JSON.parse(token));
      if (level.keys.has(level.at)) duplicates.push(levels.map(({ at }) => at));
      level.keys.add(level.at);
    }
    isKey = token === '{' || token === ',';
  }
  return duplicates;
}

const TAG_LENGTH = 8;

/**
 * Returns the tag of a declaration, which is part of entity tags. It covers what affects records and their values:
 * names, their order, kinds, limits, `setBy` and defaults. Texts, groups and features are excluded.
 */
export function declarationTag(declaration: Declaration): string {
  const settings = new DeclaredSettings(declaration).all.map(valuesOf);
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, TAG_LENGTH);
}

/** Returns the part of a setting that affects values, in a fixed order, without options that equal their defaults. */
function valuesOf({ place, shownField, was, declared, many, columns, default: value }: Setting): unknown {
  // Options of the specified settings may differ between versions of the service, which would change all tags.
  if (place === 'record') return [shownField, value];
  const { lines = 'one', min, max, types, choices, kind, setBy, decimals, placeholders, key, zone }: Options = declared;
  const later = {
    ...(was.length > 0 && { was }),
    decimals,
    placeholders: placeholders && Object.keys(placeholders),
    columns: columns?.map(valuesOf),
    key,
    zone,
  };
  const known = [shownField, kind, lines, min, max, many?.max, types, choices && Object.keys(choices), setBy, value];
  // Options that 1.0.0 did not have are omitted if unset, so that its tags stay the same.
  return Object.values(later).some((option) => option !== undefined) ? [...known, later] : known;
}

interface Options {
  readonly kind: string;
  readonly setBy?: string;
  readonly lines?: string;
  readonly min?: number;
  readonly max?: number;
  readonly types?: readonly string[];
  readonly choices?: object;
  readonly decimals?: number;
  readonly placeholders?: object;
  readonly key?: readonly string[];
  readonly zone?: string;
}
