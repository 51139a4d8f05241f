import type { Guild } from '@guild-settings/contract';
import { revisionOf as revisionIn } from '@guild-settings/contract/constants';
import { queryOptions } from '@tanstack/react-query';
import type { Theirs } from '../draft/draft.ts';
import { type Received, send, service } from '../service/service.ts';

export function guildQuery(guild: string) {
  return queryOptions({
    queryKey: ['guild', guild] as const,
    queryFn: async ({ signal }): Promise<Theirs> => {
      const { data, etag } = await send((options) => service.guilds.get.query({ guild }, options), { signal });
      return theirsOf(data, revisionOf(etag), etag);
    },
  });
}

/** Returns a record, its revision and its entity tag as what the service has. */
export function theirsOf(settings: Guild, revision: number, etag?: string): Theirs {
  return { settings, revision, etag, upTo: revision, changedBy: {} };
}

export function received({ data, etag }: Received<Guild>): Theirs {
  return theirsOf(data, revisionOf(etag), etag);
}

/** Returns the revision of an entity tag; 0 for another form, with which every change is refused and read again. */
export function revisionOf(etag: string | null | undefined): number {
  return revisionIn(etag ?? '') ?? 0;
}
