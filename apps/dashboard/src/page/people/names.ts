import type { Actor, GuildChannel, GuildMember } from '@guild-settings/contract';
import { LIMITS } from '@guild-settings/contract/constants';
import {
  CHANNEL_TYPE_NUMBERS,
  isThread,
  type Setting,
  takesMessages,
  takesType,
} from '@guild-settings/contract/settings';
import { actorName, shorten } from '@guild-settings/i18n';
import { type QueryClient, queryOptions, useQueries } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useShared } from '../i18n/use-shared.ts';
import { botName } from '../service/identity.ts';
import { sendQuery } from '../service/service.ts';
import { readerIdOf } from '../session/session.ts';

/** Time for which a name is reused, equal to that of the service. */
const STALE_MS = 300_000;

/** Time for which content waits for the names in it: a late name would move the lines below it. */
const NAMES_WAIT_MS = 1_000;

type Person = Pick<GuildMember, 'name' | 'avatar'>;

/** A request that is about to be sent. More ids may join it. */
interface Batch {
  readonly ids: Set<string>;
  readonly people: Promise<ReadonlyMap<string, Person>>;
}

const batches = new Map<string, Batch>();

/**
 * The name and the avatar of a person in a guild; null: the service has none. Simultaneous queries share a request.
 * Names are only kept in memory.
 */
export function nameQuery(guild: string, id: string) {
  return queryOptions({
    queryKey: ['name', guild, id] as const,
    queryFn: async () => (await requestPeople(guild, id)).get(id) ?? null,
    staleTime: STALE_MS,
    // Ids are sufficient if the service cannot request names.
    retry: false,
    retryOnMount: false,
    refetchOnWindowFocus: false,
  });
}

/** Resolves when the names of authors are known, cannot be determined, or take too long. */
export async function namesReady(client: QueryClient, guild: string, authors: readonly Actor[]): Promise<void> {
  const reader = readerIdOf(client);
  const ids = new Set(authors.flatMap(({ kind, id }) => (kind === 'user' && id !== null && id !== reader ? [id] : [])));
  await notTooLong(Promise.all([...ids].map((id) => client.prefetchQuery(nameQuery(guild, id)))));
}

/** Resolves when the promise is settled, or takes too long. */
export async function notTooLong(known: Promise<unknown>): Promise<void> {
  await Promise.race([known, new Promise((resolve) => setTimeout(resolve, NAMES_WAIT_MS))]);
}

function requestPeople(guild: string, id: string): Promise<ReadonlyMap<string, Person>> {
  let batch = batches.get(guild);
  if (batch === undefined || batch.ids.size === LIMITS.members) {
    const ids = new Set<string>();
    batch = { ids, people: sendSoon(guild, ids) };
    batches.set(guild, batch);
  }
  batch.ids.add(id);
  return batch.people;
}

async function sendSoon(guild: string, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, Person>> {
  await new Promise((resolve) => setTimeout(resolve));
  if (batches.get(guild)?.ids === ids) batches.delete(guild);
  const { data } = await sendQuery('guilds.members', { guild, ids: [...ids] });
  return new Map(data.map((person) => [person.id, person]));
}

interface Names {
  /** Returns the name of an author; the id if the name is unknown. */
  readonly nameOf: (actor: Actor) => string;
  /** Returns the name of an author; undefined: unknown. */
  readonly knownNameOf: (actor: Actor) => string | undefined;
  readonly avatarOf: (actor: Actor) => string | null;
  readonly isPending: boolean;
}

export function useNames(actors: readonly Actor[]): Names {
  const words = useShared();
  const { guild = '' } = useParams({ strict: false });
  const ids = [...new Set(actors.flatMap(({ kind, id }) => (kind === 'user' && id !== null ? [id] : [])))];
  const results = useQueries({ queries: ids.map((id) => nameQuery(guild, id)) });
  const people = new Map(ids.map((id, index) => [id, results[index]?.data]));
  const personOf = ({ kind, id }: Actor) => (kind === 'user' ? people.get(id ?? '') : undefined);
  const ownNameOf = (actor: Actor) => (actor.kind === 'application' ? botName() : personOf(actor)?.name);
  return {
    nameOf: (actor) => ownNameOf(actor) || actorName(actor, words),
    knownNameOf: ownNameOf,
    avatarOf: (actor) => personOf(actor)?.avatar ?? null,
    isPending: results.some((result) => result.isPending),
  };
}

/** Returns true if a setting offers a channel. Threads are too many, and short-lived: their ids are entered. */
function isOffered(setting: Setting, channel: GuildChannel): boolean {
  if (isThread(channel.type)) return false;
  return setting.place === 'record' ? takesMessages(setting, channel) : takesType(setting, channel.type);
}

export function channelText(id: string, channels: readonly GuildChannel[] | undefined): string {
  return channelName(id, channels) ?? shorten(id);
}

/** Returns the name of a channel with its sign; for a thread, after that of its channel; undefined: unknown. */
export function channelName(id: string, channels: readonly GuildChannel[] = []): string | undefined {
  const channel = channels.find((one) => one.id === id);
  const parent = channel && isThread(channel.type) ? channels.find((one) => one.id === channel.parent_id) : undefined;
  return channel && `#${parent === undefined ? '' : `${parent.name} › `}${channel.name}`;
}

/** Returns the id in a channel link copied from Discord, in a mention, or alone; undefined: another text. */
export function channelIdIn(text: string): string | undefined {
  return /^(?:<#|https:\/\/\S+\/channels\/\d+\/)?(\d{17,20})(?:>|\/\d*)?$/.exec(text.trim())?.[1];
}

interface ChannelGroup {
  readonly id: string;
  /** The name of the category, which need not be unique; undefined: no category. */
  readonly category: string | undefined;
  readonly channels: readonly GuildChannel[];
}

/**
 * Returns the channels that a setting offers, below their categories, in the order of Discord's client.
 * @param channels all channels of the guild, including its categories
 */
export function groupsOf(channels: readonly GuildChannel[], setting: Setting): ChannelGroup[] {
  const names = new Map(
    channels.filter(({ type }) => type === CHANNEL_TYPE_NUMBERS.category).map(({ id, name }) => [id, name]),
  );
  const groups = new Map<string, GuildChannel[]>();
  for (const channel of channels) {
    if (!isOffered(setting, channel)) continue;
    const id = channel.parent_id !== null && names.has(channel.parent_id) ? channel.parent_id : '';
    groups.set(id, [...(groups.get(id) ?? []), channel]);
  }
  return [...groups].map(([id, members]) => ({ id, category: names.get(id), channels: members }));
}
