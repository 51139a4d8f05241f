import { fileURLToPath } from 'node:url';
import { PACKAGE_FOLDER } from './package-folder.ts';

const PROGRAMS = {
  main: 'dist/main.js',
  backup: 'dist/backup.js',
  copy: 'dist/copy.js',
  migrate: 'dist/migrate.js',
} as const;

/**
 * Returns the shell command that runs a program of this package, for help and error messages. It has the absolute path of
 * the program, so it works in any folder, in a clone and in a deployed folder.
 */
export function ownCommand(program: keyof typeof PROGRAMS, args = ''): string {
  const path = fileURLToPath(new URL(PROGRAMS[program], PACKAGE_FOLDER));
  return ['node', quoted(path), args].join(' ').trimEnd();
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
