import { PROBLEMS } from '@guild-settings/contract';
import type { TRPC_ERROR_CODE_KEY } from '@trpc/server/rpc';
import type { GuildAccess } from '../auth/guild-access.ts';
import type { GuildService } from './guild-service.ts';

declare const guilds: GuildService;
declare const managed: GuildAccess;

guilds.find(managed);

// @ts-expect-error an id is not enough: the caller must have been found to manage the guild
guilds.find('197038439483310086');

// @ts-expect-error such a guild cannot be constructed by hand
guilds.read({ id: '197038439483310086', principal: managed.principal, profile: undefined });

/** Each code of the catalogue is a tRPC code. */
export const codes: readonly TRPC_ERROR_CODE_KEY[] = Object.values(PROBLEMS).map((problem) => problem.code);
