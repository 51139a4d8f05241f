import {
  createGuildSettingsClient,
  type GuildSettingsClient,
  NetworkError,
  problemSlugOf,
  withRequest,
} from '@guild-settings/client';
import { Guild, HistoryPage, isProblemSlug, Problem, type ProblemSlug, revisionOf } from '@guild-settings/contract';
import type { FeatureSwitch, HistoryLine, Outcome, Seen } from '../history.ts';

/**
 * An erasure; a change if it has a mark; otherwise a read. A change is a switch if it has a feature, and an undo or a
 * restore if it has a revision to restore.
 */
export interface OperationInput {
  readonly guild: string;
  readonly erase?: boolean;
  readonly undo?: number;
  readonly restore?: number;
  readonly feature?: FeatureSwitch;
  readonly mark?: string;
  /** Absent: unconditional; any revision for an erasure. */
  readonly ifMatch?: number;
  readonly waits?: boolean;
}

interface OperationResult {
  readonly outcome: Outcome;
  readonly undocumented?: string;
  readonly isLive?: boolean;
}

export type Client = (input: OperationInput) => Promise<OperationResult>;

const RESPONSE_TIMEOUT_MS = 8_000;

/** Time for which a request waits until its change is live. */
const WAIT_SECONDS = 2;

/** Problems that guarantee that nothing was changed. */
const REFUSALS: readonly ProblemSlug[] = [
  'revision-mismatch',
  'store-unavailable',
  'discord-unavailable',
  'rate-limited',
  'later-change',
  // The newest revision of a guild may be a change of the bot.
  'not-undoable',
  // The revision was erased with its guild.
  'revision-unknown',
  // From a connection that was half closed during a request.
  'request-timeout',
];

export function restClient(url: string, token: string): Client {
  return async (input) => {
    const { guild, mark } = input;
    const ifMatch = ifMatchOf(input);
    const headers = {
      authorization: `Bearer ${token}`,
      ...(mark !== undefined && { 'content-type': 'application/json', 'x-audit-log-reason': mark }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      ...(input.waits && { prefer: `wait=${WAIT_SECONDS}` }),
    };
    const { path, ...request } = restRequest(input);
    let status: number;
    let body: unknown;
    let etag: string | null;
    let arrival: string | null;
    try {
      const response = await fetch(`${url}/guilds/${guild}${path}`, {
        headers,
        ...request,
        signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
      });
      ({ status } = response);
      etag = response.headers.get('etag');
      arrival = response.headers.get('arrival');
      const text = await response.text();
      body = parsed(text);
    } catch (error) {
      return unknown(causeOf(error));
    }
    // Changes do not wait for processes that are gone.
    const isLive = arrival !== null && /^live(?!.*; away=)/.test(arrival);
    if (status === 204) return { ...ERASED, isLive };
    if (status === 200) return { ...succeeded(body, etag), isLive };
    // Without a body: the head of the request did not arrive in time, so it may have been HEAD.
    if (status === 408 && body === undefined) return refused('request-timeout');
    const problem = Problem.safeParse(body).data;
    const slug = problem?.type.split('/').at(-1) ?? '';
    return isProblemSlug(slug) ? refused(slug) : { ...unknown(`status ${status}`), undocumented: `status ${status}` };
  };
}

function restRequest({ erase, mark, undo, restore, feature }: OperationInput) {
  if (erase) return { path: '', method: 'DELETE' };
  if (mark === undefined) return { path: '' };
  if (feature !== undefined) return { path: `/features/${feature.name}`, method: feature.isEnabled ? 'PUT' : 'DELETE' };
  if (undo !== undefined) return { path: `/history/${undo}/undo`, method: 'POST' };
  if (restore !== undefined) return { path: '/restore', method: 'POST', body: JSON.stringify({ revision: restore }) };
  return { path: '', method: 'PATCH', body: JSON.stringify(settings(mark)) };
}

export function trpcClient(url: string, token: string): Client {
  const client: GuildSettingsClient = createGuildSettingsClient({
    url,
    token,
    timeoutMs: RESPONSE_TIMEOUT_MS,
    retries: 1,
  });
  return async (input) => {
    let etag: string | null = null;
    let isLive = false;
    const ifMatch = ifMatchOf(input);
    const options = withRequest({
      onEtag: (value) => {
        etag = value;
      },
      onArrival: ({ state, away }) => {
        isLive = state === 'live' && away === undefined;
      },
      ...(input.waits && { waitSeconds: WAIT_SECONDS }),
      ...(ifMatch !== undefined && { ifMatch }),
      ...(input.mark !== undefined && { auditReason: input.mark }),
    });
    try {
      const response = await callTrpc(client, input, options);
      return { ...(input.erase ? ERASED : succeeded(response, etag)), isLive };
    } catch (error) {
      const slug = problemSlugOf(error);
      if (slug !== undefined) return refused(slug);
      const cause = error instanceof Error ? error.cause : undefined;
      if (cause instanceof NetworkError && !cause.maybeSent) return { outcome: { kind: 'refused', why: 'never sent' } };
      return unknown(causeOf(error));
    }
  };
}

function callTrpc(
  { guilds }: GuildSettingsClient,
  { guild, erase, mark, undo, restore, feature }: OperationInput,
  options: ReturnType<typeof withRequest>,
): Promise<unknown> {
  if (erase) return guilds.erase.mutate({ guild }, options);
  if (mark === undefined) return guilds.get.query({ guild }, options);
  if (feature !== undefined) {
    const procedure = feature.isEnabled ? guilds.enableFeature : guilds.disableFeature;
    return procedure.mutate({ guild, feature: feature.name }, options);
  }
  if (undo !== undefined) return guilds.undo.mutate({ guild, revision: undo }, options);
  if (restore !== undefined) return guilds.restore.mutate({ guild, revision: restore }, options);
  return guilds.update.mutate({ guild, ...settings(mark) }, options);
}

function ifMatchOf({ erase, ifMatch }: OperationInput): string | undefined {
  if (ifMatch !== undefined) return `"${ifMatch}"`;
  return erase ? '*' : undefined;
}

/** The guild has the defaults after its erasure. */
const ERASED: OperationResult = { outcome: { kind: 'ok', seen: { revision: 0, prefix: '!', channel: '' } } };

function settings(mark: string) {
  return { prefix: mark, announcement_channel: mark };
}

function succeeded(body: unknown, etag: string | null): OperationResult {
  const seen = seenIn(body, etag);
  if (seen !== undefined) return { outcome: { kind: 'ok', seen } };
  return { ...unknown('no record'), undocumented: `200 with ETag ${etag} and ${JSON.stringify(body)}` };
}

function seenIn(body: unknown, etag: string | null): Seen | undefined {
  const record = Guild.safeParse(body).data;
  const revision = revisionOf(etag ?? '');
  if (record === undefined || revision === undefined) return undefined;
  return { revision, prefix: record.prefix, channel: record.announcement_channel };
}

function refused(slug: ProblemSlug): OperationResult {
  if (slug === 'write-unconfirmed') return unknown(slug);
  if (REFUSALS.includes(slug)) return { outcome: { kind: 'refused', why: slug } };
  // The requests are valid, so no other problem is allowed.
  return { ...unknown(slug), undocumented: slug };
}

function unknown(why: string): OperationResult {
  return { outcome: { kind: 'unknown', why } };
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface HistoryParts {
  readonly limit: number;
  readonly count: number;
}

/** Reads the past of guilds at one api process over REST. Failed reads are ignored: a fault may be active. */
export function pastClient(url: string, token: string) {
  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${url}${path}`, { headers, signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
    return { response, body: (await response.json()) as unknown };
  };
  return {
    /** Reads parts of a history by their links; undefined: the first one failed. */
    async history(guild: string, { limit, count }: HistoryParts) {
      const lines: HistoryLine[] = [];
      let path: string | undefined = `/guilds/${guild}/history?limit=${limit}`;
      for (let part = 0; part < count && path !== undefined; part += 1) {
        const read: Awaited<ReturnType<typeof get>> | undefined = await get(path).catch(() => undefined);
        if (read?.response.status !== 200) return part === 0 ? undefined : { lines, isWhole: false };
        for (const { revision, changes } of HistoryPage.parse(read.body).entries)
          lines.push({ revision, from: changes.prefix?.from, to: changes.prefix?.to });
        path = /<([^>]+)>; rel="next"/.exec(read.response.headers.get('link') ?? '')?.[1];
      }
      return { lines, isWhole: path === undefined };
    },
    /**
     * Reads a past record: `unknown` when the service does not know the revision, undefined when it does not respond.
     */
    async record(guild: string, at: number): Promise<Seen | 'unknown' | undefined> {
      const read = await get(`/guilds/${guild}?at=${at}`).catch(() => undefined);
      if (read === undefined) return undefined;
      const { response, body } = read;
      if (Problem.safeParse(body).data?.type.endsWith('/revision-unknown')) return 'unknown';
      return response.status === 200 ? seenIn(body, response.headers.get('etag')) : undefined;
    },
  };
}
