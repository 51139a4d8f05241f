import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

/**
 * Writes `<file>.br` and `<file>.gz` beside every text file in the folder given as the argument. The best compression
 * takes too long for a request.
 */
const [folder = '.'] = process.argv.slice(2);

const TEXT = /\.(?:js|css|html|svg|json|webmanifest)$/;

/** Smaller files fit into the first packet without compression. */
const MIN_BYTES = 1_000;

for (const name of await readdir(folder, { recursive: true })) {
  if (!TEXT.test(name)) continue;
  const path = join(folder, name);
  const content = await readFile(path);
  if (content.length < MIN_BYTES) continue;
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content));
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
}
