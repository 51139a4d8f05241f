import { queryOptions } from '@tanstack/react-query';
import { sendQuery } from '../service/service.ts';

export function emojisQuery(guild: string) {
  return queryOptions({
    queryKey: ['emojis', guild] as const,
    queryFn: async ({ signal }) => (await sendQuery('guilds.emojis', { guild }, { signal })).data,
    staleTime: 30_000,
    retry: false,
  });
}
