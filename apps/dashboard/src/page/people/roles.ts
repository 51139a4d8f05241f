import type { GuildRole } from '@guild-settings/contract';
import { queryOptions } from '@tanstack/react-query';
import { sendQuery } from '../service/service.ts';

export function rolesQuery(guild: string) {
  return queryOptions({
    queryKey: ['roles', guild] as const,
    queryFn: async ({ signal }) => (await sendQuery('guilds.roles', { guild }, { signal })).data,
    staleTime: 30_000,
    retry: false,
  });
}

export function roleText(id: string, roles: readonly GuildRole[] | undefined): string | undefined {
  const role = roles?.find((one) => one.id === id);
  return role && `@${role.name}`;
}
