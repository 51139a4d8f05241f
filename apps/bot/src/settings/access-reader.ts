import { type GuildSettingsClient, withRequest } from '@guild-settings/client';
import type { ServedAccessList } from '@guild-settings/contract';
import { type CallOutcome, readService } from './call-service.ts';
import type { PermittedUser } from './permitted-user.ts';

/** Reads the access list of a guild from the service. The replica does not have it. */
export type AccessReader = (user: PermittedUser) => Promise<CallOutcome<ServedAccessList>>;

export function accessReader(client: GuildSettingsClient): AccessReader {
  return ({ guildId: guild, userId: onBehalfOf }) => {
    return readService(() => client.guilds.access.query({ guild }, withRequest({ onBehalfOf })));
  };
}
