import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readHistory } from '../history/history.ts';
import { lastResult } from '../history/run.ts';
import type { Row } from '../row.ts';
import { withMeasured } from './measured-section.ts';
import { plot } from './plot.ts';

const DOCS = fileURLToPath(new URL('../../../../docs/', import.meta.url));

export interface DocsOptions {
  readonly rows: readonly Row[];
  /** Where performance.md is, and performance.svg is put. */
  readonly docs?: string;
  readonly history?: string;
}

/**
 * Writes the last full result of each row into the documentation.
 * @returns what a person should know of it, such as rows that were never measured
 */
export async function writeDocs({ rows, docs = DOCS, history }: DocsOptions): Promise<string[]> {
  const { runs, damage } = await readHistory('full', history);
  const results = rows.map(({ id }) => lastResult(runs, id)).filter((one) => one !== undefined);
  const page = join(docs, 'performance.md');
  await writeFile(page, withMeasured(await readFile(page, 'utf8'), results));
  const drawing = plot(results.map(({ result }) => result));
  if (drawing !== null) await writeFile(join(docs, 'performance.svg'), drawing);
  const missing = rows.filter(({ id }) => results.every(({ result }) => result.id !== id));
  return [
    ...damage,
    ...missing.map(({ id }) => `${id} has not been measured in full yet`),
    ...(drawing === null ? ['no row has measured cost against size yet: performance.svg is as it was'] : []),
  ];
}
