import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { replaceRequestListener } from './request-listener.ts';

test('a replaced request listener receives each request once, and Fastify those that it passes on', async () => {
  const app = Fastify();
  const received: string[] = [];
  app.get('/passed', async (request) => {
    received.push(`fastify ${request.url}`);
    return 'from Fastify';
  });
  const pass = replaceRequestListener(app, (request, response) => {
    received.push(`listener ${request.url}`);
    if (request.url === '/passed') return pass(request, response);
    response.end('from the listener');
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const texts = [];
  for (const path of ['/passed', '/served']) texts.push(await (await fetch(`${url}${path}`)).text());
  await app.close();

  expect(texts).toEqual(['from Fastify', 'from the listener']);
  expect(received).toEqual(['listener /passed', 'fastify /passed', 'listener /served']);
});
