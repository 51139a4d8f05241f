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

/** Registers the page and, below `/chat/page`, its existing files: one route for all of them, which starts faster. */
export function pageFiles(app: FastifyInstance): void {
  const types = new Map(readdirSync(FOLDER).map((file) => [file, MEDIA_TYPES.get(extname(file))]));
  app.get('', async (_request, reply) => reply.type('text/html; charset=utf-8').send(await read('index.html')));
  app.get<{ Params: { file: string } }>('/page/:file', async ({ params: { file } }, reply) => {
    const type = types.get(file);
    return type === undefined ? reply.callNotFound() : reply.type(type).send(await read(file));
  });
}

function read(file: string): Promise<Buffer> {
  return readFile(new URL(file, FOLDER));
}
