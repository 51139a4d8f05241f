import type { Operations } from '@guild-settings/contract/operations';
import type { OpenGuild } from '../auth/granted-access.ts';
import { authorizeManager } from '../auth/guild-access.ts';
import { checkedPerson, requireUser } from './access.ts';
import { checkedAgain } from './caller.ts';
import { summariesOf } from './guild-summary.ts';
import type { Handler } from './handler.ts';

export const listManagedGuilds: Handler<Operations['users']['guilds']> = async ({ caller, call }) => {
  const { services, request } = call;
  const newest = (request.wantsNewResult() ? await checkedAgain(call, caller) : undefined) ?? caller;
  const user = requireUser(newest);
  const ageSeconds = Math.max(0, Math.floor((services.monotonicMs() - newest.checkedAtMs) / 1_000));
  const managed = [...user.managedGuilds.keys()].map(
    (id): OpenGuild => ({ ...authorizeManager(user, id), level: 'manager' }),
  );
  const others = await services.granted.list(checkedPerson(call, newest));
  return { body: await summariesOf(call, [...managed, ...others]), ageSeconds };
};
