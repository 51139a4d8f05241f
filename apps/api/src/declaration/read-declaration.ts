import { readFileSync } from 'node:fs';
import { checkDeclaration } from '@guild-settings/contract';
import type { Declaration } from '@guild-settings/contract/settings';
import { failureHint } from '@guild-settings/runtime/command-line';
import { DeclarationError, type DeclarationFlaw } from './declaration-error.ts';
import { duplicateKeys } from './duplicate-keys.ts';

/** The data in a file, before it is checked, with flaws that the data does not show. */
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
    // Editors of Windows begin a file with a byte order mark.
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw fileFlaw(file, `expected a file that can be read. ${failureHint(error)?.hint ?? error}`);
  }
}

export function fileFlaw(file: string, message: string): DeclarationError {
  return new DeclarationError(file, [{ path: [], message }]);
}
