import { Guild, GuildInput } from '@guild-settings/contract';
import { initTRPC, TRPCError } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-openapi';
import { type GuildRow, recordOf } from './guild-rows.ts';

/**
 * The service's reading procedure without its ladder: the same input, output and address, a row, and no credentials.
 * @param isChecked whether the answer is checked against its schema, as trpc-openapi asks for
 */
export function bareRouter(read: (id: string) => GuildRow | undefined, isChecked: boolean) {
  const t = initTRPC.meta<OpenApiMeta>().create();
  const procedure = t.procedure.meta({ openapi: { method: 'GET', path: '/guilds/{guild}' } }).input(GuildInput);
  const answer = (guild: string) => {
    const row = read(guild);
    if (row === undefined) throw new TRPCError({ code: 'NOT_FOUND' });
    return recordOf(row) as Guild;
  };
  const get = isChecked
    ? procedure.output(Guild).query(({ input }) => answer(input.guild))
    : procedure.query(({ input }) => answer(input.guild));
  return t.router({ guilds: t.router({ get }) });
}
