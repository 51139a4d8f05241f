import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { PACKAGE_FOLDER } from './package-folder.ts';

const PACKAGE = new URL('package.json', PACKAGE_FOLDER);

export const VERSION = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(PACKAGE, 'utf8'))).version;
