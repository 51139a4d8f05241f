import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { WatchedEvent } from '@guild-settings/client';
import type { DiscordSim } from '@guild-settings/discord-sim';
import { APPLICATION, GUILDS, tokenOf } from '@guild-settings/discord-sim/testing/world';
import type { ReplicaMetrics, ReplicaStatus } from '@guild-settings/replica';
import { type Program, runProgramToEnd, sentUntilAvailable, startProgram, waitUntil } from '@guild-settings/testing';

export const TOKEN = tokenOf('application');

export const [GUILD, OTHER_GUILD] = GUILDS.map(({ id }) => id) as [string, string];

let guilds = 0;

export function freshGuild(): string {
  guilds += 1;
  return String(300_000_000_000_000_000n + (BigInt(guilds) << 22n));
}

export function environmentOf(discord: DiscordSim, file: string): NodeJS.ProcessEnv {
  return {
    DATABASE_URL: `file:${file}`,
    DISCORD_API_URL: discord.apiUrl,
    DISCORD_APPLICATION_ID: APPLICATION.id,
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'info',
  };
}

export async function migrate(folder: string, env: NodeJS.ProcessEnv, node = process.execPath): Promise<void> {
  await runProgramToEnd({ file: node, args: [join(folder, 'api/dist/migrate.js')], env });
}

export type ApiProcess = Program & { readonly url: string };

/**
 * Starts the service of the version in a folder, as one process, and waits until it is ready.
 * @param env its environment; without a port it uses a free one
 * @param node the executable of Node; that of this process unless given
 */
export async function startApi(folder: string, env: NodeJS.ProcessEnv, node = process.execPath): Promise<ApiProcess> {
  const program = startProgram({ file: node, args: [join(folder, 'api/dist/main.js')], env: { PORT: '0', ...env } });
  const [, url = ''] = await program.waitForOutput(/listening at (http:\/\/[^"]+)"/);
  await waitUntil(() => fetch(`${url}/readyz`).then(({ ok }) => ok), { message: `${url}/readyz` });
  return { ...program, url };
}

/** Sends a request to a service, without a client of any version. Returns the response and its body. */
export async function request(url: string, method = 'GET', body?: object) {
  const response = await send(url, method, body);
  return { response, body: JSON.parse(await response.text()) as AnyRecord };
}

export async function patch(url: string, guild: string, settings: object): Promise<number> {
  const response = await sentUntilAvailable(() => send(`${url}/guilds/${guild}`, 'PATCH', settings));
  await response.body?.cancel();
  const { status, headers } = response;
  if (status !== 200) throw new Error(`Expected status 200, received ${status}`);
  return revisionIn(headers.get('etag'));
}

/** Returns the revision in an entity tag of any version. */
export function revisionIn(etag: string | null | undefined): number {
  return Number.parseInt(etag?.slice(1) ?? '', 10);
}

function send(url: string, method: string, body: object | undefined): Promise<Response> {
  return fetch(url, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
}

export type ReaderProcess = ReturnType<typeof startReader>;

/**
 * Starts the reader of the version in a folder: `reader.ts` describes its commands.
 * @param env variables in addition to those of this process
 */
export function startReader(folder: string, env: NodeJS.ProcessEnv = {}) {
  const { child, exited } = startProgram({
    args: [join(folder, 'reader/program/main.mjs')],
    env: { ...process.env, ...env },
    hasInput: true,
  });
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('Expected a process with pipes');
  child.stderr?.pipe(process.stderr);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  createInterface({ input: stdout }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line) as { id: number; result?: unknown; error?: string };
    if (error === undefined) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(error));
    waiting.delete(id);
  });
  void exited.then(() => {
    for (const { reject } of waiting.values()) reject(new Error('The reader has ended'));
  });
  return {
    /**
     * Sends a command and returns its result.
     * @throws Error with the reader's error
     */
    send<Result = unknown>(name: string, options: object = {}): Promise<Result> {
      lastId += 1;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(lastId, answer);
      stdin.write(`${JSON.stringify({ id: lastId, name, ...options })}\n`);
      return answer.promise as Promise<Result>;
    },
    async [Symbol.asyncDispose]() {
      stdin.end();
      await exited;
    },
  };
}

/** A record, or its settings, of any version. */
export type AnyRecord = Readonly<Record<string, unknown>>;

export interface ReplicaState {
  readonly status: ReplicaStatus;
  readonly metrics: ReplicaMetrics;
  readonly settings: Readonly<Record<string, AnyRecord>>;
  readonly changed: readonly { readonly guild: string; readonly before: AnyRecord; readonly after: AnyRecord }[];
  readonly logged: readonly string[];
}

export interface Watched {
  readonly events: readonly WatchedEvent[];
  readonly failures: readonly string[];
}

export function commandsOf(reader: ReaderProcess, url: string) {
  const to = { url, token: TOKEN };
  const call = async (procedure: string, type: 'query' | 'mutate', input: object) =>
    (await reader.send<{ readonly result: AnyRecord }>('call', { ...to, procedure, type, input })).result;
  const watched = () => reader.send<Watched>('watched');
  const replica = (...guilds: readonly string[]) => reader.send<ReplicaState>('replica', { guilds });
  return {
    get: (guild: string) => call('guilds.get', 'query', { guild }),
    update: (guild: string, patch: object) => call('guilds.update', 'mutate', { guild, ...patch }),
    /** Watches from a cursor until the watch is live. Returns its events up to then. */
    async watch(cursor?: WatchedEvent['cursor']): Promise<Watched> {
      await reader.send('watch', { ...to, cursor });
      await waitUntil(async () => (await watched()).events.some(({ event }) => event.type === 'live'));
      const received = await watched();
      await reader.send('unwatch');
      return received;
    },
    openReplica: (path: string) => reader.send('openReplica', { ...to, path }),
    replica,
    /** Resolves when the replica is live at a revision, or a later one. */
    async reaches(revision: number): Promise<void> {
      await waitUntil(async () => {
        const { status, metrics } = await replica();
        return status.state === 'LIVE' && metrics.revision >= revision;
      });
    },
    closeReplica: () => reader.send('closeReplica'),
  };
}

export function recordsIn({ events }: Watched) {
  return events.flatMap(({ event }) =>
    event.type === 'guilds' ? event.guilds : event.type === 'guild' ? [event] : [],
  );
}
