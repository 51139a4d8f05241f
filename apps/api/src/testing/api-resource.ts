import { Writable } from 'node:stream';
import { Problem } from '@guild-settings/contract';
import type { DiscordSim } from '@guild-settings/discord-sim';
import { keepServiceErrors, temporaryFile } from '@guild-settings/testing';
import { afterAll, beforeAll } from 'vitest';
import { type App, type AppOptions, createApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { openApiDocument } from '../openapi/document.ts';
import { OPERATIONS_BY_PATH } from '../operations/operations.ts';
import { COMMITTED_CONTRACT, contractCheck } from './contract-check.ts';
import { writeMigratedFile } from './database-files.ts';
import { IDS, startWorld, type Tokens } from './people.ts';

export interface TestClock {
  now: number;
}

export interface Sent extends Omit<RequestInit, 'body'> {
  readonly token?: string;
  /** Sent as JSON with its media type, unless it is a string or bytes. */
  readonly body?: unknown;
}

/** A running service with its own database file and its own Discord, gone at the end of its scope. */
export interface TestApi extends AsyncDisposable {
  /** The address; another one after a restart. */
  readonly url: string;
  readonly app: App;
  readonly discord: DiscordSim;
  readonly tokens: Tokens;
  readonly databasePath: string;
  /** Moves both the service's and Discord's time. */
  readonly clock: TestClock;
  /** The lines that the service logged. */
  readonly log: () => string;
  /** A request whose response is checked against the OpenAPI document of the service. */
  send(path: string, sent?: Sent): Promise<Response>;
  /** Checks an event of the stream of a guild against that document. */
  checkFollowEvent(event: unknown): void;
  get(guild: string, sent?: Sent): Promise<Response>;
  /** Calls a procedure over tRPC, as the manager unless `sent` has another token. */
  call(procedure: string, input?: unknown, sent?: Sent): Promise<Response>;
  /** Reports presence as the bot. */
  report(body: object, sent?: Sent): Promise<Response>;
  /** Stops the service, and starts it again on the same database. `env` changes its configuration further. */
  restart(env?: NodeJS.ProcessEnv): Promise<void>;
  /** Starts another process of the deployment, on the same database unless `env` has another one. Returns its address. */
  startBeside(env?: NodeJS.ProcessEnv): Promise<{ readonly url: string; readonly app: App }>;
  patch(guild: string, body: unknown, sent?: Sent): Promise<Response>;
}

/** Starts the service on a free port of 127.0.0.1. `env` and `options` change its configuration. */
export async function startApi(env: NodeJS.ProcessEnv = {}, options: AppOptions = {}): Promise<TestApi> {
  const file = temporaryFile();
  const databasePath = file.path;
  if (env.DATABASE_URL === undefined) writeMigratedFile(databasePath);
  const clock: TestClock = { now: Date.now() };
  const now = () => clock.now;
  const { discord, tokens } = await startWorld(now);
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      keepServiceErrors(String(chunk));
      done();
    },
  });
  const start = async (more: NodeJS.ProcessEnv = {}) => {
    const config = readConfig({
      PORT: '0',
      DATABASE_URL: `file:${databasePath}`,
      DISCORD_API_URL: discord.apiUrl,
      DISCORD_APPLICATION_ID: IDS.application,
      RATE_LIMIT_PER_MINUTE: '0',
      CHANGE_LOG_BYTES_PER_DAY: '0',
      LOG_LEVEL: 'debug',
      ...env,
      ...more,
    });
    const started = await createApp(config, {
      clock: { nowMs: now, monotonicMs: now },
      logger: { stream },
      ...options,
    });
    const contract =
      config.settings.tag === undefined ? COMMITTED_CONTRACT : contractCheck(openApiDocument(config.settings));
    return { app: started, contract, url: await started.listen({ host: '127.0.0.1', port: 0 }) };
  };
  let running = await start();
  const beside: App[] = [];

  const send = async (path: string, { token, body, headers, ...init }: Sent = {}): Promise<Response> => {
    const json = body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array);
    const all = new Headers(headers);
    if (token !== undefined && !all.has('authorization')) all.set('authorization', `Bearer ${token}`);
    if (json && !all.has('content-type')) all.set('content-type', 'application/json');
    const response = await fetch(`${running.url}${path}`, {
      redirect: 'manual',
      ...init,
      headers: all,
      ...(body !== undefined && { body: json ? JSON.stringify(body) : (body as string | Uint8Array) }),
    });
    await running.contract.response(init.method ?? 'GET', path, response);
    return response;
  };

  const call: TestApi['call'] = (procedure, input, sent) => {
    const path = `/trpc/${procedure}`;
    if (OPERATIONS_BY_PATH.get(procedure)?.type === 'mutation')
      return send(path, { method: 'POST', token: tokens.manager, body: input, ...sent });
    const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`;
    return send(path + query, { token: tokens.manager, ...sent });
  };

  return {
    get url() {
      return running.url;
    },
    get app() {
      return running.app;
    },
    discord,
    tokens,
    databasePath,
    clock,
    log: () => lines.join(''),
    checkFollowEvent: (event) => running.contract.followEvent(event),
    send,
    call,
    report: (body, sent) => call('presence.report', body, { token: tokens.application, ...sent }),
    get: (guild, sent) => send(`/guilds/${guild}`, { token: tokens.manager, ...sent }),
    patch: (guild, body, sent) => send(`/guilds/${guild}`, { method: 'PATCH', token: tokens.manager, body, ...sent }),
    async restart(more) {
      await running.app.close();
      running = await start(more);
    },
    async startBeside(more) {
      const another = await start(more);
      beside.push(another.app);
      return another;
    },
    async [Symbol.asyncDispose]() {
      for (const app of [running.app, ...beside]) await app.close();
      await discord.close();
      file[Symbol.dispose]();
    },
  };
}

/**
 * Starts one service for the tests of a file or of a `describe`, which must not depend on what another one of them did.
 * Starting a service takes longer than most requests.
 * @returns a function that returns the service, for the tests
 */
export function sharedApi(env?: NodeJS.ProcessEnv, options?: AppOptions): () => TestApi {
  let api: TestApi | undefined;
  beforeAll(async () => {
    api = await startApi(env, options);
  });
  afterAll(() => api?.[Symbol.asyncDispose]());
  return () => {
    if (api === undefined) throw new Error('Expected a call in a test, received one before the service has started');
    return api;
  };
}

/** The problem document of a response. */
export async function problemIn(response: Response): Promise<Problem> {
  return Problem.parse(await response.json());
}
