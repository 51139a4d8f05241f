import { ProblemError } from '@guild-settings/contract';
import type { Operations } from '@guild-settings/contract/operations';
import { ownerOf } from './access.ts';
import type { Handler } from './handler.ts';
import { awaitArrival, writeAuthorized } from './write.ts';

export const eraseGuild: Handler<Operations['guilds']['erase']> = async ({ caller, guild, call }) => {
  const precondition = call.request.precondition();
  if (precondition?.ifMatch === undefined) throw new ProblemError('precondition-required');
  await writeAuthorized(call, { caller, guild, authorize: ownerOf }, (permission) =>
    call.services.guilds.erase(permission, precondition),
  );
  return { body: null, ...(await awaitArrival(call, guild, { revision: 0, isCommitted: true })) };
};
