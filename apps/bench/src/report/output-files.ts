import { access, constants, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from '@guild-settings/command-line';

/**
 * Checks before a run that its output files can be written.
 * @throws UsageError
 */
export async function requireWritable(files: readonly (string | undefined)[]): Promise<void> {
  for (const file of files) {
    if (file === undefined || file === '-') continue;
    await access(dirname(file), constants.W_OK).catch(() => {
      throw new UsageError(`${file} cannot be written: expected a writable folder ${dirname(file)}`);
    });
  }
}

/** Writes to a file, or to standard output for `-`. */
export async function writeOut(file: string, text: string): Promise<void> {
  if (file === '-') process.stdout.write(text);
  else await writeFile(file, text);
}
