import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The package's folder: the parent of src, of dist and of dist/main.js. */
export const PACKAGE_FOLDER = new URL('..', import.meta.url);

const PACKAGE = new URL('package.json', PACKAGE_FOLDER);

export const VERSION = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(PACKAGE, 'utf8'))).version;
