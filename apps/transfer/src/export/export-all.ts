import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { counted, exportOf } from '@guild-settings/contract';
import { readTransferConfig } from '../config.ts';
import { messageOf, SourceError } from '../sources/source.ts';
import { showLines } from '../terminal/progress.ts';
import type { ExportCommand } from './options.ts';
import { Snapshot } from './snapshot.ts';

/** Exports all guilds of the service of the environment. Returns the text for the caller. */
export async function exportAll({ to, json }: ExportCommand, signal: AbortSignal): Promise<string> {
  const { apiUrl, token } = readTransferConfig();
  const { update: onProgress } = showLines((received) => `${counted(received, 'guild')} received`);
  using snapshot = await Snapshot.receive({ url: apiUrl, token, signal, onProgress });
  const exportedAtMs = Date.now();
  let guilds = 0;
  const lines = function* () {
    for (const { guild, revision } of snapshot.guilds()) {
      guilds += 1;
      yield `${JSON.stringify(exportOf({ guild, revision, exportedAtMs }))}\n`;
    }
  };
  if (to === undefined) await writeOutput(Readable.from(lines()), signal);
  else await writeNewFile(to, Readable.from(lines()), signal);
  return json ? JSON.stringify({ guilds, to }) : `Exported ${counted(guilds, 'guild')} to ${to}`;
}

async function writeOutput(lines: Readable, signal: AbortSignal): Promise<void> {
  try {
    await pipeline(lines, process.stdout, { end: false, signal });
  } catch (error) {
    signal.throwIfAborted();
    const expected = `Expected to write to standard output: ${messageOf(error)}.`;
    throw new SourceError(`${expected} Name a new file with --to, where there is room.`, { cause: error });
  }
}

/** Writes a file that does not exist yet, for its owner alone. An unfinished file is deleted. */
async function writeNewFile(path: string, lines: Readable, signal: AbortSignal): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  let isCreated = false;
  file.once('open', () => {
    isCreated = true;
  });
  try {
    await pipeline(lines, file, { signal });
  } catch (error) {
    if (isCreated) await rm(path, { force: true });
    signal.throwIfAborted();
    const expected = `Expected to write a new file at ${path}: ${messageOf(error)}.`;
    throw new SourceError(`${expected} Name another one with --to.`, { cause: error });
  }
}
