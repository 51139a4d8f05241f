import { GuildInput } from '@guild-settings/contract';
import { initTRPC, TRPCError } from '@trpc/server';
import { fastifyTRPCPlugin } from '@trpc/server/adapters/fastify';
import Database from 'better-sqlite3';
import Fastify from 'fastify';
import { recordOfRow, rowReader } from './guild-rows.ts';

/**
 * The service's read procedure behind tRPC's Fastify adapter, without its middleware: an input schema, a path and a row, but no
 * credentials.
 */
const { DATABASE = '', PORT = '0' } = process.env;

const read = rowReader(new Database(DATABASE));
const t = initTRPC.create();
const get = t.procedure.input(GuildInput).query(({ input }) => {
  const row = read(input.guild);
  if (row === undefined) throw new TRPCError({ code: 'NOT_FOUND' });
  return recordOfRow(row);
});

const app = Fastify({ routerOptions: { maxParamLength: 5_000 } });
app.get('/readyz', async () => ({ status: 'ok' }));
await app.register(fastifyTRPCPlugin, {
  prefix: '/trpc',
  trpcOptions: { router: t.router({ guilds: t.router({ get }) }) },
});
await app.listen({ host: '127.0.0.1', port: Number(PORT) });
