import { writeFileSync } from 'node:fs';
import type { Declaration } from '@guild-settings/contract';
import { temporaryFile } from '@guild-settings/testing';

/** A file for SETTINGS_FILE, deleted at the end of its scope. */
export interface SettingsFile extends Disposable {
  readonly path: string;
  /** Replaces the declaration; a service reads it when it starts. */
  write(declaration: Declaration): void;
}

/** Writes a declaration to a file of its own. */
export function settingsFile(declaration: Declaration): SettingsFile {
  const file = temporaryFile('settings.json');
  const write = (next: Declaration) => writeFileSync(file.path, JSON.stringify(next));
  write(declaration);
  return { path: file.path, write, [Symbol.dispose]: () => file[Symbol.dispose]() };
}
