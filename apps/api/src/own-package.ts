import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** The folder of this package: one level up, from src, from dist and from dist/main.js. */
export const PACKAGE_FOLDER = new URL('..', import.meta.url);

const PACKAGE = new URL('package.json', PACKAGE_FOLDER);

export const VERSION = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(PACKAGE, 'utf8'))).version;

const PROGRAMS = {
  main: 'dist/main.js',
  backup: 'dist/backup.js',
  copy: 'dist/copy.js',
  migrate: 'dist/migrate.js',
} as const;

/**
 * Returns the shell command that runs a program of this package, for help and error messages. It contains the absolute
 * path of the program, so it works in any folder, in a clone and in a deployment.
 */
export function ownCommand(program: keyof typeof PROGRAMS, args = ''): string {
  const path = fileURLToPath(new URL(PROGRAMS[program], PACKAGE_FOLDER));
  return ['node', quoted(path), args].join(' ').trimEnd();
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
