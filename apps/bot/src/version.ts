import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** One folder up lies the package, whether this runs from src or from dist. */
const PACKAGE = new URL('../package.json', import.meta.url);

/** The bot's version, as its package has it. */
export const VERSION = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(PACKAGE, 'utf8'))).version;
