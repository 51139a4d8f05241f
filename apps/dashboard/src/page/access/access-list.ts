import type { AccessEntry, FollowEvent, GrantedLevel, ServedAccessList } from '@guild-settings/contract';
import { queryOptions } from '@tanstack/react-query';
import { namesReady, notTooLong } from '../people/names.ts';
import { rolesQuery } from '../people/roles.ts';
import { type Received, sendMutation, sendQuery } from '../service/service.ts';

export interface AccessList {
  readonly entries: Entries;
  readonly etag: string | undefined;
}

export function accessQuery(guild: string) {
  return queryOptions({
    queryKey: ['access', guild] as const,
    queryFn: async ({ signal, client }): Promise<AccessList> => {
      const roles = notTooLong(client.prefetchQuery(rolesQuery(guild)));
      const list = listOf(await sendQuery('guilds.access', { guild }, { signal }));
      await Promise.all([roles, namesReady(client, guild, peopleIn(list.entries))]);
      return list;
    },
    staleTime: 0,
  });
}

/**
 * Returns true if an event may mean another list: a stream begins with a record, which may be newer than the list that
 * was read.
 */
export function mayChangeAccess(type: FollowEvent['type']): boolean {
  return type === 'guild' || type === 'access' || type === 'erased';
}

/** Replaces the access list of a guild, unless another manager has changed it since it was read. */
export async function saveAccess(guild: string, entries: Entries, { etag }: AccessList): Promise<AccessList> {
  // A level of a newer service is sent back unchanged.
  const input = { guild, entries: entries as AccessEntry[] };
  return listOf(await sendMutation('guilds.setAccess', input, { ifMatch: etag }));
}

export function peopleIn(entries: Entries): { readonly kind: 'user'; readonly id: string }[] {
  return entries.flatMap(({ subject }) => {
    const [kind, id = ''] = subject.split(':', 2);
    return kind === 'user' ? [{ kind, id }] : [];
  });
}

function listOf({ data, etag }: Received<{ readonly entries: Entries }>): AccessList {
  return { entries: data.entries, etag };
}

export type Entries = ServedAccessList['entries'];

/** The levels that a person has chosen and not saved, by subject; null: removed. */
export type AccessEdits = ReadonlyMap<string, GrantedLevel | null>;

/** Returns an access list with the person's edits applied, keeping changes by others. */
export function withEdits(entries: Entries, edits: AccessEdits): Entries {
  const listed = new Set(entries.map(({ subject }) => subject));
  const kept = entries.flatMap(({ subject, level }) => {
    const chosen = edits.get(subject);
    return chosen === null ? [] : [{ subject, level: chosen ?? level }];
  });
  const added = [...edits].flatMap(([subject, level]) =>
    level === null || listed.has(subject) ? [] : [{ subject, level }],
  );
  return [...kept, ...added];
}

export function changesList(entries: Entries, edits: AccessEdits): boolean {
  const levels = new Map<string, string>(entries.map(({ subject, level }) => [subject, level]));
  return [...edits].some(([subject, level]) => (levels.get(subject) ?? null) !== level);
}

/** Props for adding a subject to a list: a role as `role:ID`, a person as `user:ID`. */
export interface AddProps {
  readonly guild: string;
  readonly entries: Entries;
  readonly onAdd: (subject: string, name: string) => void;
}
