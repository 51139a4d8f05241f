import { initTRPC } from '@trpc/server';
import Fastify from 'fastify';
import { fastifyTRPCOpenApiPlugin, type OpenApiMeta } from 'trpc-openapi';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

/** Makes a new router, because the stock handler changes the schemas that it serves. */
function makeRouter() {
  const t = initTRPC.meta<OpenApiMeta>().create();
  const update = t.procedure
    .meta({ openapi: { method: 'PATCH', path: '/guilds/{guild}' } })
    .input(z.object({ guild: z.string(), beta: z.boolean().optional() }))
    .output(z.object({ beta: z.boolean().optional() }))
    .mutation(({ input }) => ({ beta: input.beta }));
  return { t, router: t.router({ update }) };
}

describe('the stock handler of trpc-openapi, which is why the REST routes are our own', () => {
  test('makes the shared schemas coerce from its first call on, over tRPC too', async () => {
    const { t, router } = makeRouter();
    const caller = t.createCallerFactory(router)({});
    const input = { guild: '1', beta: 'no' as unknown as boolean };
    await expect(caller.update(input)).rejects.toThrow('expected boolean');

    const app = Fastify();
    await app.register(fastifyTRPCOpenApiPlugin, { router });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const headers = { 'content-type': 'application/json' };
    await fetch(`${url}/guilds/1`, { method: 'PATCH', headers, body: '{"beta":"no"}' });
    await app.close();

    await expect(caller.update(input)).resolves.toEqual({ beta: true });
  });
});
