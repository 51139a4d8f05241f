import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder, deleted with its contents at the end of its scope. */
export interface TemporaryFolder extends Disposable {
  readonly path: string;
  /** Returns the path of a file in the folder. Does not create it. */
  file(name: string): string;
}

/** Creates an empty folder below the system's folder for temporary files. */
export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'guild-settings-'));
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Returns the path of a file in a new folder, deleted with the folder at the end of its scope. Does not create the file. */
export function temporaryFile(name = 'test.db'): Disposable & { readonly path: string } {
  const folder = temporaryFolder();
  return { path: folder.file(name), [Symbol.dispose]: () => folder[Symbol.dispose]() };
}
