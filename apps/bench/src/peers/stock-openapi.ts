import Database from 'better-sqlite3';
import Fastify from 'fastify';
import { fastifyTRPCOpenApiPlugin } from 'trpc-openapi';
import { bareRouter } from './bare-procedure.ts';
import { rowReader } from './guild-rows.ts';

/** A read procedure without credentials behind the Fastify plugin of trpc-openapi. */
const { DATABASE = '', PORT = '0' } = process.env;

const app = Fastify();
app.get('/readyz', async () => ({ status: 'ok' }));
await app.register(fastifyTRPCOpenApiPlugin, { router: bareRouter(rowReader(new Database(DATABASE)), true) });
await app.listen({ host: '127.0.0.1', port: Number(PORT) });
