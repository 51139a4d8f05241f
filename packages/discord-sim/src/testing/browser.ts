import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));

/** An installed Chromium, for machines for which the npm package has none. */
const { CHROMIUM_PATH } = process.env;

export const HAS_BROWSER = CHROMIUM_PATH !== undefined || (process.platform === 'linux' && process.arch === 'x64');

/**
 * A single renderer serves all pages of a profile, because starting one, and compiling the page's scripts in it, takes
 * longer than most tests. Without a graphics processor, because an emulated one would be tried first and is slower.
 */
const ARGUMENTS = ['--no-sandbox', '--process-per-site', '--disable-site-isolation-trials', '--disable-gpu'];

/** Starts a headless Chromium: the one at `CHROMIUM_PATH`, or that of the npm package `@sparticuz/chromium`. */
export async function startBrowser(): Promise<Browser> {
  const options = { executablePath: await browserFile(), args: ARGUMENTS };
  // Chromium itself crashed at one of some hundred starts, on a busy machine.
  return chromium.launch(options).catch(() => chromium.launch(options));
}

/**
 * Returns the path of the browser. That of the package is decompressed first; the package's own function uses a fixed
 * path, where other processes find an incomplete file.
 */
export async function browserFile(): Promise<string> {
  if (CHROMIUM_PATH !== undefined) return CHROMIUM_PATH;
  const inPackage = (path: string) => new URL(`../${path}`, import.meta.resolve('@sparticuz/chromium'));
  const { version } = JSON.parse(await readFile(inPackage('package.json'), 'utf8'));
  const file = join(CACHE, `chromium-${version}`);
  if (existsSync(file)) return file;
  const partial = `${file}.${randomUUID()}`;
  await mkdir(CACHE, { recursive: true });
  const decompress = createBrotliDecompress({ chunkSize: 1 << 21 });
  await pipeline(
    createReadStream(inPackage('bin/chromium.br')),
    decompress,
    createWriteStream(partial, { mode: 0o700 }),
  );
  await rename(partial, file);
  return file;
}
