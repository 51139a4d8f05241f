import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { FastifyInstance } from 'fastify';

/** The package's folder is two levels up, from src and from dist. */
const FOLDER = new URL('../../page/', import.meta.url);

const MEDIA_TYPES = new Map([
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
]);

/** Registers the page and, below `/chat/page`, its existing files. */
export function pageFiles(app: FastifyInstance): void {
  serve(app, '', 'index.html', 'text/html; charset=utf-8');
  for (const file of readdirSync(FOLDER)) {
    const type = MEDIA_TYPES.get(extname(file));
    if (type !== undefined) serve(app, `/page/${file}`, file, type);
  }
}

function serve(app: FastifyInstance, path: string, file: string, type: string): void {
  app.get(path, async (_request, reply) => reply.type(type).send(await readFile(new URL(file, FOLDER))));
}
