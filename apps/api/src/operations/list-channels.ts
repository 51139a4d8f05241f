import { ProblemError } from '@guild-settings/contract';
import type { Operations } from '@guild-settings/contract/operations';
import type { Handler } from './handler.ts';

export const listGuildChannels: Handler<Operations['guilds']['channels']> = async ({ guild, stored, input, call }) => {
  const { lookups } = call.services;
  if (lookups === undefined) throw new ProblemError('bot-token-missing');
  const presence = stored?.presence ?? 'unknown';
  return { body: await lookups.channels.list(guild, { presence }, input.threads ?? []) };
};
