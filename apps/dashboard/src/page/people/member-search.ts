import type { GuildMember } from '@guild-settings/contract';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { sendQuery } from '../service/service.ts';
import { nameQuery } from './names.ts';

const TYPING_MS = 250;

const NONE: readonly GuildMember[] = [];

/** Returns the members of a guild whose names start with a text, and caches their names. */
export function useMemberSearch(guild: string, typed: string): readonly GuildMember[] {
  const client = useQueryClient();
  const { data: found = NONE } = useQuery(membersQuery(guild, useTypedLast(typed.trim())));
  useEffect(() => {
    for (const person of found) client.setQueryData(nameQuery(guild, person.id).queryKey, person);
  }, [client, guild, found]);
  return found;
}

function membersQuery(guild: string, query: string) {
  return queryOptions({
    queryKey: ['members', guild, query] as const,
    queryFn: async ({ signal }) => (await sendQuery('guilds.members', { guild, query }, { signal })).data,
    enabled: query !== '',
    staleTime: 30_000,
    retry: false,
    placeholderData: keepPreviousData,
  });
}

function useTypedLast(typed: string): string {
  const [last, setLast] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setLast(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return last;
}
