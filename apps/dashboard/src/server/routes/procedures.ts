import type { GuildSettingsClient } from '@guild-settings/client';
import type { TRPCProcedureOptions } from '@trpc/client';

/** A call of a procedure. The service validates the input, so that this server knows none of its types. */
type Call = (client: GuildSettingsClient, input: never, options: TRPCProcedureOptions) => Promise<unknown>;

/** A procedure that pages may call. */
export interface Procedure {
  readonly type: 'query' | 'mutation';
  readonly call: Call;
}

const query = (call: Call): Procedure => ({ type: 'query', call });
const mutation = (call: Call): Procedure => ({ type: 'mutation', call });

/**
 * The procedures of the service that pages may call, by their tRPC path. `guilds.follow`, a stream, is beside them. Everything
 * else is not found, above all what is the application's alone.
 */
const PROCEDURES: Readonly<Record<string, Procedure>> = {
  'guilds.get': query((client, input, options) => client.guilds.get.query(input, options)),
  'guilds.update': mutation((client, input, options) => client.guilds.update.mutate(input, options)),
  'guilds.history': query((client, input, options) => client.guilds.history.query(input, options)),
  'guilds.change': query((client, input, options) => client.guilds.change.query(input, options)),
  'guilds.undo': mutation((client, input, options) => client.guilds.undo.mutate(input, options)),
  'guilds.restore': mutation((client, input, options) => client.guilds.restore.mutate(input, options)),
  'guilds.arrival': query((client, input, options) => client.guilds.arrival.query(input, options)),
  'guilds.channels': query((client, input, options) => client.guilds.channels.query(input, options)),
  'guilds.members': query((client, input, options) => client.guilds.members.query(input, options)),
  'guilds.export': query((client, input, options) => client.guilds.export.query(input, options)),
  'guilds.import': mutation((client, input, options) => client.guilds.import.mutate(input, options)),
  'guilds.enableFeature': mutation((client, input, options) => client.guilds.enableFeature.mutate(input, options)),
  'guilds.disableFeature': mutation((client, input, options) => client.guilds.disableFeature.mutate(input, options)),
  'guilds.erase': mutation((client, input, options) => client.guilds.erase.mutate(input, options)),
  'users.me': query((client, input, options) => client.users.me.query(input, options)),
  'users.guilds': query((client, input, options) => client.users.guilds.query(input, options)),
  'application.get': query((client, input, options) => client.application.get.query(input, options)),
  'features.list': query((client, input, options) => client.features.list.query(input, options)),
};

/** Returns the procedure of a tRPC path that pages may call; undefined for every other path. */
export function procedureOf(path: string): Procedure | undefined {
  return Object.hasOwn(PROCEDURES, path) ? PROCEDURES[path] : undefined;
}
