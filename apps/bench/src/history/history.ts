import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Run, run } from './run.ts';

/** Where the runs are kept: a file for each effort, a line of JSON for each run. */
const HISTORY = fileURLToPath(new URL('../../history/', import.meta.url));

export interface History {
  /** The oldest first. */
  readonly runs: readonly Run[];
  /** What could not be read, in words. */
  readonly damage: readonly string[];
}

/** Reads the runs of an effort. A damaged line is told of and left out. */
export async function readHistory(effort: Run['effort'], folder = HISTORY): Promise<History> {
  const file = fileOf(effort, folder);
  const runs: Run[] = [];
  const damage: string[] = [];
  for (const [index, line] of (await textOf(file)).split('\n').entries()) {
    if (line.trim() === '') continue;
    const read = run.safeParse(parsed(line));
    if (read.success && read.data.effort === effort) runs.push(read.data);
    else damage.push(`${file}:${index + 1} is no ${effort} run; it is skipped`);
  }
  return { runs, damage };
}

/** Adds a run. If the last line was cut off, the new one is not lost with it. */
export async function keepRun(run: Run, folder = HISTORY): Promise<void> {
  const file = fileOf(run.effort, folder);
  await mkdir(folder, { recursive: true });
  const text = await textOf(file);
  const begin = text === '' || text.endsWith('\n') ? '' : '\n';
  await appendFile(file, `${begin}${JSON.stringify(run)}\n`);
}

function fileOf(effort: Run['effort'], folder: string): string {
  return join(folder, `${effort}.jsonl`);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
