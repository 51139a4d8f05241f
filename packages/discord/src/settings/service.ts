import { setTimeout as delay } from 'node:timers/promises';
import {
  type GuildSettingsClient,
  hasProblem,
  isGuildSettingsError,
  type NetworkError,
  problemOf,
  problemSlugOf,
  type ReceivedArrival,
  type UnexpectedResponseError,
  withRequest,
} from '@guild-settings/client';
import type {
  Conflict,
  GuildId,
  ProblemSlug,
  RecordSettings,
  ServedAccessList,
  Snowflake,
} from '@guild-settings/contract';
import type { SettingsPatch } from '@guild-settings/contract/settings';
import { type Backoff, jitteredBackoffMs } from '@guild-settings/runtime/backoff';

/** Problems with status 503 that guarantee that nothing was changed. A newer service may have others. */
const NOTHING_CHANGED: readonly ProblemSlug[] = ['discord-unavailable', 'store-unavailable'];

/** The procedures of a client that the command calls, with any type of settings. */
export interface SettingsService {
  readonly settings: { readonly get: Query<GuildSettingsClient['settings']['get']> };
  readonly guilds: {
    readonly get: Query<Guilds['get']>;
    readonly access: Query<Guilds['access']>;
    readonly history: Query<Guilds['history']>;
    readonly change: Query<Guilds['change']>;
    readonly update: Mutation<Guilds['update']>;
    readonly undo: Mutation<Guilds['undo']>;
  };
}

export interface PresenceService {
  readonly presence: { readonly report: Mutation<GuildSettingsClient['presence']['report']> };
}

type Guilds = GuildSettingsClient['guilds'];

type Call = (...call: never) => Promise<unknown>;

// Methods, because a client with typed settings accepts no others.
interface Query<Procedure extends { readonly query: Call }> {
  query(...call: Parameters<Procedure['query']>): Promise<Awaited<ReturnType<Procedure['query']>>>;
}

interface Mutation<Procedure extends { readonly mutate: Call }> {
  mutate(...call: Parameters<Procedure['mutate']>): Promise<Awaited<ReturnType<Procedure['mutate']>>>;
}

export type ServiceFailure =
  /** No response from the service, or from Discord behind it. Nothing was changed. */
  | { readonly kind: 'unreachable' }
  /** The request was sent, but no response arrived. */
  | { readonly kind: 'unconfirmed' }
  | ServiceRefusal;

export interface ServiceRefusal {
  readonly kind: 'refused';
  /** Undefined: a problem that this version does not know. */
  readonly slug: ProblemSlug | undefined;
  readonly fields: readonly string[];
  readonly conflicts: readonly Conflict[];
  readonly error: Error;
}

export type CallOutcome<Result> = { readonly kind: 'result'; readonly result: Result } | ServiceFailure;

export async function callService<Result>(call: () => Promise<Result>): Promise<CallOutcome<Result>> {
  try {
    return { kind: 'result', result: await call() };
  } catch (error) {
    if (!isGuildSettingsError(error)) throw error;
    const problem = problemOf(error);
    const isTemporary =
      (problem?.status === 429 && !hasProblem(error, 'change-log-full')) || hasProblem(error, 'request-timeout');
    if (problem !== undefined && problem.status < 500 && !isTemporary) {
      const { issues = [], conflicts = [] } = problem;
      // The last part of the path may be the index in a list.
      const fields = issues.map(({ path }) => path.filter((part) => typeof part === 'string').join('.'));
      return { kind: 'refused', slug: problemSlugOf(error), fields, conflicts, error };
    }
    const isUnavailable = isTemporary || NOTHING_CHANGED.some((slug) => hasProblem(error, slug));
    return isUnavailable || wasNotSent(error.cause) ? { kind: 'unreachable' } : { kind: 'unconfirmed' };
  }
}

/** Calls the service for a read, which changes nothing even if no response arrives. */
export async function readService<Result>(
  call: () => Promise<Result>,
): Promise<Exclude<CallOutcome<Result>, { kind: 'unconfirmed' }>> {
  const outcome = await callService(call);
  return outcome.kind === 'unconfirmed' ? { kind: 'unreachable' } : outcome;
}

/** Returns true if nothing was changed because the guild has changed since the revision in the call. */
export function isMismatch(outcome: { readonly kind: string; readonly slug?: ProblemSlug | undefined }): boolean {
  return outcome.kind === 'refused' && outcome.slug === 'revision-mismatch';
}

function wasNotSent(cause: unknown): boolean {
  // Compared without classes, because the client may have another copy of them.
  if (!(cause instanceof Error)) return false;
  switch (cause.name) {
    case 'TokenError':
      return true;
    case 'NetworkError':
      return (cause as NetworkError).maybeSent === false;
    case 'UnexpectedResponseError':
      return (cause as UnexpectedResponseError).isRedirect;
    default:
      return false;
  }
}

/** A client of another version ignores call options, including the user that a change is made for. */
export const WRONG_CLIENT =
  'Expected a service made by createGuildSettingsClient of the same version as @guild-settings/discord';

declare const isPermitted: unique symbol;

/** A user who may use the commands for managers in a guild. Only the guard `requirePermission` makes one. */
export interface PermittedUser {
  readonly guildId: GuildId;
  readonly userId: Snowflake;
  readonly [isPermitted]: true;
}

/** Reads the access list of a guild from the service. The replica does not have it. */
export type AccessReader = (user: PermittedUser) => Promise<CallOutcome<ServedAccessList>>;

export function accessReader(client: SettingsService): AccessReader {
  return ({ guildId: guild, userId: onBehalfOf }) => {
    return readService(() => client.guilds.access.query({ guild }, withRequest({ onBehalfOf })));
  };
}

/** Time for which a reply waits until the change is live. */
const WAIT_SECONDS = 1;

/** Maximum attempts to change a guild that others change concurrently: one of them succeeds per round. */
const MAX_TRIES = 25;

const BACKOFF: Backoff = { firstMs: 20, longestMs: 400 };

export type PatchFor = (before: RecordSettings) => SettingsPatch;

type ChangeOutcome =
  | {
      readonly kind: 'changed';
      readonly before: RecordSettings;
      readonly after: RecordSettings;
      readonly arrival?: ReceivedArrival | undefined;
    }
  | ServiceFailure;

export type SettingsWriter = ReturnType<typeof settingsWriter>;

export function settingsWriter(client: SettingsService) {
  async function change(
    { guildId: guild, userId: onBehalfOf }: PermittedUser,
    patchFor: PatchFor,
  ): Promise<ChangeOutcome> {
    let ifMatch: string | undefined;
    let arrival: ReceivedArrival | undefined;
    const onEtag = (etag: string) => {
      ifMatch = etag;
    };
    const onArrival = (received: ReceivedArrival) => {
      arrival = received;
    };
    // Subject to the user's request limit, not to the one shared by all guilds.
    const before = await readService(() => client.guilds.get.query({ guild }, withRequest({ onBehalfOf, onEtag })));
    if (before.kind !== 'result') return before;
    if (ifMatch === undefined) throw new Error(WRONG_CLIENT);
    const patch = patchFor(before.result);
    const options = withRequest({ onBehalfOf, ifMatch, waitSeconds: WAIT_SECONDS, onArrival });
    const after = await callService(() => client.guilds.update.mutate({ guild, ...patch }, options));
    return after.kind === 'result' ? { kind: 'changed', before: before.result, after: after.result, arrival } : after;
  }

  return {
    /**
     * Changes settings. The values before are those that the change replaces: after a conflict it is retried with the
     * patch for the new values.
     * @param user the user that the change is made for, and the guild
     */
    async change(user: PermittedUser, patchFor: PatchFor): Promise<ChangeOutcome> {
      for (let tries = 1; ; tries += 1) {
        const outcome = await change(user, patchFor);
        if (!isMismatch(outcome) || tries === MAX_TRIES) return outcome;
        await delay(jitteredBackoffMs(tries - 1, BACKOFF));
      }
    },
  };
}
