import { Guild, GuildInput } from '@guild-settings/contract';
import { initTRPC, TRPCError } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-openapi';
import { type GuildRow, recordOf } from './guild-rows.ts';

/**
 * Creates a router with the service's read procedure, without its middleware: input and output schemas, a path and a row,
 * but no credentials.
 * @param isChecked whether the output is validated by its schema, which trpc-openapi requires
 */
export function bareRouter(read: (id: string) => GuildRow | undefined, isChecked: boolean) {
  const t = initTRPC.meta<OpenApiMeta>().create();
  const procedure = t.procedure.meta({ openapi: { method: 'GET', path: '/guilds/{guild}' } }).input(GuildInput);
  const recordFor = (guild: string) => {
    const row = read(guild);
    if (row === undefined) throw new TRPCError({ code: 'NOT_FOUND' });
    return recordOf(row) as Guild;
  };
  const get = isChecked
    ? procedure.output(Guild).query(({ input }) => recordFor(input.guild))
    : procedure.query(({ input }) => recordFor(input.guild));
  return t.router({ guilds: t.router({ get }) });
}
