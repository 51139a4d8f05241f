import { queryOptions } from '@tanstack/react-query';
import { send, service } from '../service/service.ts';

export function emojisQuery(guild: string) {
  return queryOptions({
    queryKey: ['emojis', guild] as const,
    queryFn: async ({ signal }) =>
      (await send((options) => service.guilds.emojis.query({ guild }, options), { signal })).data,
    staleTime: 30_000,
    retry: false,
  });
}
