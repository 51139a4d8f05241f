import type { Operations } from '@guild-settings/contract/operations';
import { authorizeCaller, authorizerOf } from './access.ts';
import { logReaderOf } from './caller.ts';
import type { Handler } from './handler.ts';

export const exportGuild: Handler<Operations['guilds']['export']> = async ({ caller, guild, stored, input, call }) => {
  const { transfer } = call.services;
  if (input.history !== true) return { body: await transfer.export(guild, stored) };
  const managed = await authorizeCaller(call, caller, { id: guild.id, authorize: authorizerOf(call, 'manage') });
  return { body: await transfer.exportAll(managed.guild, stored, logReaderOf(call, caller)) };
};
