import type { Operations } from '@guild-settings/contract/operations';
import { logReaderOf } from './caller.ts';
import type { Handler } from './handler.ts';

export const readArrival: Handler<Operations['guilds']['arrival']> = async ({ caller, guild, stored, input, call }) => {
  const { arrivals, history } = call.services;
  const newest = stored?.revision ?? 0;
  const { revision: asked = newest, wait = 0 } = input;
  const revision = asked === newest ? newest : await history.revisionAt(guild, asked, logReaderOf(call, caller));
  return { body: await arrivals.wait(guild.id, revision, { waitMs: wait * 1_000 }) };
};
