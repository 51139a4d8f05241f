import { fastifyTRPCPlugin } from '@trpc/server/adapters/fastify';
import Database from 'better-sqlite3';
import Fastify from 'fastify';
import { bareRouter } from './bare-procedure.ts';
import { rowReader } from './guild-rows.ts';

/** A read procedure without credentials behind tRPC's Fastify adapter. Validates only the input. */
const { DATABASE = '', PORT = '0' } = process.env;

const app = Fastify({ routerOptions: { maxParamLength: 5_000 } });
app.get('/readyz', async () => ({ status: 'ok' }));
await app.register(fastifyTRPCPlugin, {
  prefix: '/trpc',
  trpcOptions: { router: bareRouter(rowReader(new Database(DATABASE)), false) },
});
await app.listen({ host: '127.0.0.1', port: Number(PORT) });
