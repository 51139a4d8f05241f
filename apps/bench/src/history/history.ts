import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Run, run } from './run.ts';

/** The folder of the runs: a file for each profile, a line of JSON for each run. */
const HISTORY = fileURLToPath(new URL('../../history/', import.meta.url));

export interface History {
  /** Oldest first. */
  readonly runs: readonly Run[];
  /** Messages about unreadable lines. */
  readonly damage: readonly string[];
}

/** Reads the runs of a profile. Skips damaged lines and reports them. */
export async function readHistory(profile: Run['profile'], folder = HISTORY): Promise<History> {
  const file = fileOf(profile, folder);
  const runs: Run[] = [];
  const damage: string[] = [];
  for (const [index, line] of (await textOf(file)).split('\n').entries()) {
    if (line.trim() === '') continue;
    const read = run.safeParse(parsed(line));
    if (read.success && read.data.profile === profile) runs.push(read.data);
    else damage.push(`${file}:${index + 1} is no ${profile} run; it is skipped`);
  }
  return { runs, damage };
}

/** Appends a run, on a new line even after a truncated one. */
export async function keepRun(run: Run, folder = HISTORY): Promise<void> {
  const file = fileOf(run.profile, folder);
  await mkdir(folder, { recursive: true });
  const text = await textOf(file);
  const lineBreak = text === '' || text.endsWith('\n') ? '' : '\n';
  await appendFile(file, `${lineBreak}${JSON.stringify(run)}\n`);
}

function fileOf(profile: Run['profile'], folder: string): string {
  return join(folder, `${profile}.jsonl`);
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
