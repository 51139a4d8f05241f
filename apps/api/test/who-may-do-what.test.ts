import { type AccessWorld, LET_IN, LIST, startAccess } from '@guild-settings/testing/api';
import { type Browser, loggedIn, PAGE_ENV } from '@guild-settings/testing/page-visitor';
import { IDS } from '@guild-settings/testing/people';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS_BY_PATH } from '../src/operations/handlers.ts';

const { guild } = IDS;

const CALLERS = [
  'owner',
  'administrator',
  'manager',
  'editorByRole',
  'editorByUser',
  'viewerByRole',
  'viewerByUser',
  'member',
  'stranger',
  'application',
  'applicationForPerson',
] as const;
type Caller = (typeof CALLERS)[number];

const APPLICATION: readonly Caller[] = ['application', 'applicationForPerson'];
const OWNERS: readonly Caller[] = ['owner', ...APPLICATION];
const MANAGERS: readonly Caller[] = ['administrator', 'manager', ...OWNERS];
const EDITORS: readonly Caller[] = ['editorByRole', 'editorByUser', ...MANAGERS];
const VIEWERS: readonly Caller[] = ['viewerByRole', 'viewerByUser', ...EDITORS];
const USERS: readonly Caller[] = CALLERS.filter((caller) => !APPLICATION.includes(caller));
const PEOPLE: readonly Caller[] = [...USERS, 'applicationForPerson'];

/** A call that changes nothing, and the callers with permission. */
interface Row {
  readonly who: readonly Caller[];
  readonly input?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** The status for callers with permission; 200 unless given. */
  readonly status?: number;
}

const ACKNOWLEDGEMENT = {
  watcher: { id: 'unknown-watcher', name: 'none' },
  shards: [{ id: 0, count: 1 }],
  cursor: { epoch: 'none', revision: 1 },
};
const DOCUMENT = { version: 1, guild, settings: {} };

/** A row per operation by its tRPC path, and more rows for inputs that need more. */
const ROWS: Readonly<Record<string, Row>> = {
  'guilds.get': { who: VIEWERS, input: { guild } },
  'guilds.get of the past': { who: VIEWERS, input: { guild, at: 0 } },
  'guilds.history': { who: VIEWERS, input: { guild } },
  'guilds.change': { who: VIEWERS, input: { guild, revision: 1 } },
  'guilds.arrival': { who: VIEWERS, input: { guild } },
  'guilds.channels': { who: VIEWERS, input: { guild } },
  'guilds.roles': { who: VIEWERS, input: { guild } },
  'guilds.emojis': { who: VIEWERS, input: { guild } },
  'guilds.members': { who: VIEWERS, input: { guild, ids: [IDS.manager] } },
  'guilds.feature': { who: VIEWERS, input: { guild, feature: 'tea' } },
  'guilds.access': { who: VIEWERS, input: { guild } },
  'guilds.follow': { who: VIEWERS, input: { guild } },
  'guilds.export': { who: VIEWERS, input: { guild } },
  'guilds.export with the history': { who: MANAGERS, input: { guild, history: true } },
  'guilds.update': { who: EDITORS, input: { guild, enabledFeatures: ['tea'] } },
  'guilds.enableFeature': { who: EDITORS, input: { guild, feature: 'tea' } },
  'guilds.disableFeature': { who: EDITORS, input: { guild, feature: 'coffee' } },
  'guilds.restore': { who: EDITORS, input: { guild, revision: 0, dry_run: true } },
  'guilds.undo': { who: EDITORS, input: { guild, revision: 1, dry_run: true } },
  'guilds.undo of the access list': { who: MANAGERS, input: { guild, revision: 2, dry_run: true } },
  'guilds.import': { who: EDITORS, input: { guild, document: DOCUMENT, dry_run: true } },
  'guilds.setAccess': { who: MANAGERS, input: { guild, entries: LIST } },
  'guilds.erase': { who: OWNERS, input: { guild }, headers: { 'if-match': '"99"' }, status: 412 },
  'guilds.importMany': { who: APPLICATION, input: { guilds: [{ guild, settings: {} }], dry_run: true } },
  'guilds.watch': { who: APPLICATION, input: {} },
  'guilds.acknowledge': { who: APPLICATION, input: ACKNOWLEDGEMENT },
  'presence.report': { who: APPLICATION, input: { type: 'present', guild: { id: guild, name: 'One', icon: null } } },
  'users.me': { who: CALLERS },
  'users.guilds': { who: USERS },
  'users.guild': { who: VIEWERS.filter((caller) => !APPLICATION.includes(caller)), input: { guild } },
  'users.forget': { who: PEOPLE, input: {} },
  'features.list': { who: CALLERS },
  'settings.get': { who: CALLERS },
  'application.get': { who: CALLERS },
};

const operationOf = (row: string) => row.split(' ', 1)[0] ?? '';

describe('an operation', () => {
  let world: AccessWorld;
  beforeAll(async () => {
    world = await startAccess('bot', PAGE_ENV);
    const { api } = world;
    // Accepts the bot's token, because the bot is in the guild by now.
    await api.restart();
    expect((await api.patch(guild, { enabledFeatures: ['tea'] })).status).toBe(200);
    expect((await world.setAccess(LIST)).status).toBe(200);
    await api.report({ type: 'present', guild: { id: guild, name: 'One', icon: null } });
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test('has a row in the table', () => {
    expect(new Set(Object.keys(ROWS).map(operationOf))).toEqual(new Set(OPERATIONS_BY_PATH.keys()));
  });

  test.each(Object.entries(ROWS))('%s is for those whom the table names, and nobody else', async (name, row) => {
    const outcomes = await Promise.all(CALLERS.map(async (caller) => [caller, await call(caller, name, row)] as const));
    const isAllowed = (caller: Caller) => row.who.includes(caller);
    const expected = CALLERS.map((caller) => [caller, isAllowed(caller) ? (row.status ?? 200) : 403]);
    expect(outcomes).toEqual(expected);
  });

  describe('by the cookie of a session', () => {
    const people: Partial<Record<Caller, string>> = {
      ...LET_IN,
      owner: IDS.owner,
      administrator: IDS.admin,
      manager: IDS.manager,
      member: IDS.plain,
      stranger: IDS.stranger,
    };
    const browsers = new Map<Caller, Browser>();
    beforeAll(async () => {
      for (const caller of USERS) {
        const person = people[caller];
        browsers.set(caller, await loggedIn(world.api, person === undefined ? {} : { person }));
      }
    });

    test.each(Object.entries(ROWS))('%s is for the same people, or for nobody', async (name, row) => {
      const operation = operationOf(name);
      const { page, type } = OPERATIONS_BY_PATH.get(operation) ?? {};
      const outcomes = await Promise.all(
        [...browsers].map(async ([caller, browser]) => {
          const aborter = new AbortController();
          const visit = { headers: row.headers ?? {}, signal: aborter.signal };
          const response = await browser.call(operation, row.input ?? {}, visit);
          const status = type === 'subscription' && page ? await firstStatus(response) : response.status;
          aborter.abort();
          return [caller, status];
        }),
      );
      const isAllowed = (caller: Caller) => row.who.includes(caller);
      const expected = USERS.map((caller) => [caller, isAllowed(caller) ? (row.status ?? 200) : 403]);
      expect(outcomes).toEqual(page ? expected : USERS.map((caller) => [caller, 404]));
    });
  });

  async function call(caller: Caller, row: string, { input, headers = {} }: Row): Promise<number> {
    const { api } = world;
    const tokens: Readonly<Record<Caller, string>> = {
      ...world.tokens,
      owner: api.tokens.owner,
      administrator: api.tokens.admin,
      manager: api.tokens.manager,
      member: api.tokens.plain,
      stranger: api.tokens.stranger,
      application: api.tokens.application,
      applicationForPerson: api.tokens.application,
    };
    const operation = operationOf(row);
    const sent = {
      token: tokens[caller],
      headers: { ...headers, ...(caller === 'applicationForPerson' && { 'x-on-behalf-of': IDS.plain }) },
    };
    if (OPERATIONS_BY_PATH.get(operation)?.type === 'subscription') return firstOf(operation, input, sent);
    return (await api.call(operation, input, sent)).status;
  }

  /** Returns the initial status of a stream, or that of the problem in its only message. */
  async function firstOf(operation: string, input: object | undefined, { token, headers }: Sent): Promise<number> {
    const aborter = new AbortController();
    const query = encodeURIComponent(JSON.stringify(input));
    const response = await fetch(`${world.api.url}/trpc/${operation}?input=${query}`, {
      headers: { ...headers, authorization: `Bearer ${token}` },
      signal: aborter.signal,
    });
    const status = await firstStatus(response);
    aborter.abort();
    return status;
  }
});

/** Returns the status of a response, or that of the problem in the first message of its stream. */
async function firstStatus({ status, body }: Response): Promise<number> {
  let text = '';
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (/data: .*\n/.test(text.replace('event: connected\ndata: {}\n', ''))) break;
  }
  return Number(/"httpStatus":(\d+)/.exec(text)?.[1] ?? status);
}

interface Sent {
  readonly token: string;
  readonly headers: Readonly<Record<string, string>>;
}
