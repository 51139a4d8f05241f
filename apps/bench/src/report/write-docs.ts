import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readHistory } from '../history/history.ts';
import { lastResult } from '../history/run.ts';
import type { Row } from '../row.ts';
import { withMeasured } from './measured-section.ts';
import { plot } from './plot.ts';

const DOCS = fileURLToPath(new URL('../../../../docs/', import.meta.url));

const PLOT = 'performance.svg';

export interface DocsOptions {
  readonly rows: readonly Row[];
  /** The folder of performance.md and performance.svg. */
  readonly docs?: string;
  readonly history?: string;
}

/**
 * Writes the last full result of each row into the documentation.
 * @returns messages, such as rows that were never measured
 */
export async function writeDocs({ rows, docs = DOCS, history }: DocsOptions): Promise<string[]> {
  const { runs, damage } = await readHistory('full', history);
  const results = rows.map(({ id }) => lastResult(runs, id)).filter((one) => one !== undefined);
  const drawing = plot(results.map(({ result }) => result));
  const page = join(docs, 'performance.md');
  const text = withMeasured(await readFile(page, 'utf8'), results, drawing === null ? undefined : PLOT);
  await writeFile(page, text);
  if (drawing === null) await rm(join(docs, PLOT), { force: true });
  else await writeFile(join(docs, PLOT), drawing);
  const missing = rows.filter(({ id }) => results.every(({ result }) => result.id !== id));
  return [
    `${page} shows the last full results of ${results.length} of ${rows.length} rows`,
    ...damage,
    ...missing.map(({ id }) => `${id} has not been measured in full yet`),
    ...(drawing === null ? ['no row has measured cost against size yet, so nothing is drawn'] : []),
  ];
}
