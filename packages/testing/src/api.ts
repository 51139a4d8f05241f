import { writeFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { type AccessEntry, type Declaration, type GuildAccessList, Problem, versionIn } from '@guild-settings/contract';
import type { DiscordSim } from '@guild-settings/discord-sim';
import { afterAll, beforeAll, test as plainTest } from 'vitest';
import { type App, type AppOptions, createApp } from '../../../apps/api/src/app.ts';
import { readConfig } from '../../../apps/api/src/config.ts';
import { openApiDocument } from '../../../apps/api/src/openapi/document.ts';
import { OPERATIONS_BY_PATH } from '../../../apps/api/src/operations/handlers.ts';
import { CONTRACT, contractCheck } from './contract-check.ts';
import { keepServiceErrors, temporaryFile } from './index.ts';
import { IDS, startWorld, type Tokens } from './people.ts';
import { fixture, writeMigratedFile } from './stores.ts';

interface TestClock {
  now: number;
}

export interface Sent extends Omit<RequestInit, 'body'> {
  readonly token?: string;
  /** Sent as JSON with its media type, unless it is a string or bytes. */
  readonly body?: unknown;
}

/** A running service with its own database file and its own Discord, stopped at the end of its scope. */
export interface TestApi extends AsyncDisposable {
  /** The URL, which changes with a restart. */
  readonly url: string;
  readonly app: App;
  readonly discord: DiscordSim;
  readonly tokens: Tokens;
  readonly databasePath: string;
  /** Sets the time of both the service and Discord. */
  readonly clock: TestClock;
  readonly log: () => string;
  /** A request whose response is checked against the OpenAPI document of the service. */
  send(path: string, sent?: Sent): Promise<Response>;
  checkFollowEvent(event: unknown): void;
  get(guild: string, sent?: Sent): Promise<Response>;
  /** Calls a procedure over tRPC, as the manager unless `sent` has another token. */
  call(procedure: string, input?: unknown, sent?: Sent): Promise<Response>;
  /** Reports presence as the bot. */
  report(body: object, sent?: Sent): Promise<Response>;
  /** Restarts the service on the same database. `env` changes its configuration further. */
  restart(env?: NodeJS.ProcessEnv): Promise<void>;
  /** Starts another process of the deployment, on the same database unless `env` has another one. Returns its URL. */
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
    const contract = config.settings.tag === undefined ? CONTRACT : contractCheck(openApiDocument(config.settings));
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
 * Starts a service that is shared by the tests of a file or of a `describe`, which must not depend on each other.
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

export async function problemIn(response: Response): Promise<Problem> {
  return Problem.parse(await response.json());
}

/** A test with its own service as `api`, which is only started if the test uses it. */
export const test = plainTest.extend<{ api: TestApi }>({ api: fixture(() => startApi()) });

export const ROLES = { editors: '197038439483310901', viewers: '197038439483310902' } as const;

/** People besides those of all tests: two have a role, and two are on the list themselves. All are members. */
export const LET_IN = {
  editorByRole: '53908099506184001',
  editorByUser: '53908099506184002',
  viewerByRole: '53908099506184003',
  viewerByUser: '53908099506184004',
} as const;

export const BOT_TOKEN = 'bot-token-of-the-tests-000000001';

export const LIST: AccessEntry[] = [
  { subject: `role:${ROLES.editors}`, level: 'editor' },
  { subject: `user:${LET_IN.editorByUser}`, level: 'editor' },
  { subject: `role:${ROLES.viewers}`, level: 'viewer' },
  { subject: `user:${LET_IN.viewerByUser}`, level: 'viewer' },
];

/** The source of people's roles: the bot's token, a scope of their tokens, or none. */
export type RoleSource = 'bot' | 'scope' | 'none';

export interface AccessWorld extends AsyncDisposable {
  readonly api: TestApi;
  readonly tokens: Readonly<Record<keyof typeof LET_IN | 'manager', string>>;
  /** Replaces the access list, as the manager unless another token is given. */
  setAccess(
    entries: GuildAccessList['entries'],
    sent?: { token?: string; headers?: Readonly<Record<string, string>> },
  ): Promise<Response>;
}

/** Starts a service with an empty access list. */
export async function startAccess(
  source: RoleSource = 'bot',
  env: NodeJS.ProcessEnv = {},
  options?: AppOptions,
): Promise<AccessWorld> {
  const api = await startApi({ ...(source === 'bot' && { DISCORD_BOT_TOKEN: BOT_TOKEN }), ...env }, options);
  const tokens = populate(api.discord, source);
  return {
    api,
    tokens,
    setAccess: (entries, { token = tokens.manager, headers = {} } = {}) =>
      api.send(`/guilds/${IDS.guild}/access`, { method: 'PUT', token, headers, body: { entries } }),
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

function populate({ world }: DiscordSim, source: RoleSource): AccessWorld['tokens'] {
  world.addBot({ applicationId: IDS.application, token: BOT_TOKEN });
  world.addBotToGuild(IDS.guild);
  for (const [name, id] of Object.entries(ROLES)) world.addRole({ guildId: IDS.guild, id, name });
  const scopes = ['identify', 'guilds', ...(source === 'scope' ? (['guilds.members.read'] as const) : [])] as const;
  for (const [name, userId] of Object.entries(LET_IN)) {
    world.addUser({ id: userId, username: name.toLowerCase() });
    for (const guild of [IDS.guild, IDS.otherGuild]) world.addMember(guild, userId, { permissions: 0n });
  }
  world.setMemberRoles(IDS.guild, LET_IN.editorByRole, [ROLES.editors]);
  world.setMemberRoles(IDS.guild, LET_IN.viewerByRole, [ROLES.viewers]);
  const tokens = Object.entries({ ...LET_IN, manager: IDS.manager }).map(([name, userId]) => [
    name,
    world.issueUserToken({ userId, applicationId: IDS.application, scopes }).accessToken,
  ]);
  return Object.fromEntries(tokens);
}

/** A file for SETTINGS_FILE, deleted at the end of its scope. */
interface SettingsFile extends Disposable {
  readonly path: string;
  /** Replaces the declaration; a service reads it when it starts. */
  write(declaration: Declaration): void;
}

export function settingsFile(declaration: Declaration): SettingsFile {
  const file = temporaryFile('settings.json');
  const write = (next: Declaration) => writeFileSync(file.path, JSON.stringify(next));
  write(declaration);
  return { path: file.path, write, [Symbol.dispose]: () => file[Symbol.dispose]() };
}

type Answered = Pick<Response, 'headers'>;

/** Returns the revision in the entity tag of a response; NaN: none. */
export function revisionIn({ headers }: Answered): number {
  return versionIn(headers.get('etag') ?? '')?.revision ?? Number.NaN;
}

/** Returns the entity tag of a response without the epoch, which differs between services: `"7"`, `"7-1a2b3c4d"`. */
export function revisionTagIn({ headers }: Answered): string | null {
  const tag = headers.get('etag');
  const [, revision, declaration] = /^"(\d+)-[0-9a-z]{10}([0-9a-z]{8})?"$/.exec(tag ?? '') ?? [];
  if (revision === undefined) return tag;
  return declaration === undefined ? `"${revision}"` : `"${revision}-${declaration}"`;
}
