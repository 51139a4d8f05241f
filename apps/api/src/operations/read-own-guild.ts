import { ProblemError } from '@guild-settings/contract';
import type { Operations } from '@guild-settings/contract/operations';
import { summariesOf } from './guild-summary.ts';
import type { Handler } from './handler.ts';

export const readOwnGuild: Handler<Operations['users']['guild']> = async ({ guild, call }) => {
  const [summary] = await summariesOf(call, [guild]);
  if (summary === undefined) throw new ProblemError('not-guild-manager');
  return { body: summary };
};
