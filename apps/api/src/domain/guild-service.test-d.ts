import { PROBLEMS } from '@guild-settings/contract';
import type { TRPC_ERROR_CODE_KEY } from '@trpc/server/rpc';
import type { GuildAccess } from '../auth/guild-access.ts';
import type { GuildService } from './guild-service.ts';

declare const guilds: GuildService;
declare const managed: GuildAccess;

guilds.find(managed);

// @ts-expect-error an id is not enough: it takes a guild that the caller was found to manage
guilds.find('197038439483310086');

// @ts-expect-error nor can one be put together by hand
guilds.read({ id: '197038439483310086', principal: managed.principal, profile: undefined });

/** Every code of the catalogue is one of tRPC's. */
export const codes: readonly TRPC_ERROR_CODE_KEY[] = Object.values(PROBLEMS).map((problem) => problem.code);
