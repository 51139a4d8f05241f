import { ProblemError } from '@guild-settings/contract';
import type { Operations } from '@guild-settings/contract/operations';
import type { Handler } from './handler.ts';

export const listGuildEmojis: Handler<Operations['guilds']['emojis']> = async ({ guild, stored, call }) => {
  const { lookups } = call.services;
  if (lookups === undefined) throw new ProblemError('bot-token-missing');
  return { body: await lookups.emojis.list(guild, { presence: stored?.presence ?? 'unknown' }) };
};
