import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { Problem } from '@guild-settings/contract';
import type { DiscordSim } from '@guild-settings/discord-sim';
import { type App, type AppOptions, createApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { checkResponse } from './contract-check.ts';
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
  readonly url: string;
  readonly app: App;
  readonly discord: DiscordSim;
  readonly tokens: Tokens;
  readonly databasePath: string;
  /** Moves both the service's and Discord's time. */
  readonly clock: TestClock;
  /** What the service logged. */
  readonly log: () => string;
  /** A request whose answer is checked against the committed OpenAPI document. */
  send(path: string, sent?: Sent): Promise<Response>;
  get(guild: string, sent?: Sent): Promise<Response>;
  patch(guild: string, body: unknown, sent?: Sent): Promise<Response>;
}

/** Starts the service on a free port of 127.0.0.1. `env` and `options` change its configuration. */
export async function startApi(env: NodeJS.ProcessEnv = {}, options: AppOptions = {}): Promise<TestApi> {
  const folder = await mkdtemp(join(tmpdir(), 'guild-settings-'));
  const databasePath = join(folder, 'test.db');
  const clock: TestClock = { now: Date.now() };
  const now = () => clock.now;
  const { discord, tokens } = await startWorld(now);
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: `file:${databasePath}`,
    DISCORD_API_URL: discord.apiUrl,
    DISCORD_APPLICATION_ID: IDS.application,
    RATE_LIMIT_PER_MINUTE: '0',
    CHANGE_LOG_BYTES_PER_DAY: '0',
    LOG_LEVEL: 'debug',
    ...env,
  });
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const app = await createApp(config, {
    clock: { nowMs: now, monotonicMs: now },
    logger: { stream },
    ...options,
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });

  const send = async (path: string, { token, body, headers, ...init }: Sent = {}): Promise<Response> => {
    const json = body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array);
    const all = new Headers(headers);
    if (token !== undefined && !all.has('authorization')) all.set('authorization', `Bearer ${token}`);
    if (json && !all.has('content-type')) all.set('content-type', 'application/json');
    const response = await fetch(`${url}${path}`, {
      redirect: 'manual',
      ...init,
      headers: all,
      ...(body !== undefined && { body: json ? JSON.stringify(body) : (body as string | Uint8Array) }),
    });
    if (process.env.UNCHECKED === undefined) await checkResponse(init.method ?? 'GET', path, response);
    return response;
  };

  return {
    url,
    app,
    discord,
    tokens,
    databasePath,
    clock,
    log: () => lines.join(''),
    send,
    get: (guild, sent) => send(`/guilds/${guild}`, { token: tokens.manager, ...sent }),
    patch: (guild, body, sent) => send(`/guilds/${guild}`, { method: 'PATCH', token: tokens.manager, body, ...sent }),
    async [Symbol.asyncDispose]() {
      await app.close();
      await discord.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The problem document of an answer. */
export async function problemIn(response: Response): Promise<Problem> {
  return Problem.parse(await response.json());
}
