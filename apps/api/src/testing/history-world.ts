import { type Conflict, type Guild, HistoryPage, Problem } from '@guild-settings/contract';
import { waitUntil } from '@guild-settings/testing';
import { expect } from 'vitest';
import { startApi, type TestApi } from './api-resource.ts';
import { HistoryModel, type ModelAuthor, type ModelCall, type ModelResponse } from './history-model.ts';
import {
  type GuildStep,
  type HistoryStep,
  MODEL_GUILDS,
  type ModelCallerName,
  type ModelQuery,
  type ModelTarget,
  type WriteStep,
} from './history-steps.ts';
import { IDS } from './people.ts';
import { WatchedRecords } from './watched-records.ts';

const HOUR_MS = 3_600_000;
const CENTURY_SECONDS = 3_000_000_000;

/** The people that callers are, or act for. */
const PERSON_OF = {
  manager: IDS.manager,
  admin: IDS.admin,
  onBehalf: IDS.owner,
  application: undefined,
} as const satisfies Record<ModelCallerName, string | undefined>;

/** A service and its model, which do the same steps. */
export interface HistoryWorld extends AsyncDisposable {
  /** Outcomes by the type of the step and the status. */
  readonly counts: Readonly<Record<string, number>>;
  /** Takes a step with both, and compares the responses. */
  run(step: HistoryStep): Promise<void>;
  /** Compares everything that can be read. */
  compare(): Promise<void>;
}

/** Starts a service with an empty database, and its model. */
export async function startHistoryWorld(env: NodeJS.ProcessEnv): Promise<HistoryWorld> {
  const api = await startApi({ LOG_LEVEL: 'error', AUTH_CACHE_TTL: '86400', ...env });
  const world = new World(api);
  await world.watch();
  return world;
}

class World implements HistoryWorld {
  readonly counts: Record<string, number> = {};
  readonly #api: TestApi;
  readonly #model: HistoryModel;
  readonly #tokens: Readonly<Record<ModelCallerName, string>>;
  readonly #watcher = new WatchedRecords();

  constructor(api: TestApi) {
    this.#api = api;
    this.#model = new HistoryModel(api.clock.now);
    this.#tokens = issueTokens(api);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watcher.close();
    await this.#api[Symbol.asyncDispose]();
  }

  watch(): Promise<void> {
    return this.#watcher.open(this.#api.url, this.#tokens.application);
  }

  async run(step: HistoryStep): Promise<void> {
    this.#advance(1);
    const model = this.#model;
    switch (step.type) {
      case 'update': {
        const { guild, patch } = step;
        const match = this.#match(step);
        const expected = model.update(this.#call(step), patch, this.#author(step), match);
        return this.#expect(step, expected, { method: 'PATCH', path: `/guilds/${guild}`, body: patch, match });
      }
      case 'import': {
        const { guild, patch, isDryRun } = step;
        const match = this.#match(step);
        const expected = model.import(this.#call(step), patch, this.#author(step), { match, isDryRun });
        const path = `/guilds/${guild}/import${isDryRun ? '?dry_run=true' : ''}`;
        return this.#expect(step, expected, {
          method: 'POST',
          path,
          body: { version: 1, guild, settings: patch },
          match,
        });
      }
      case 'erase': {
        const match = this.#match(step) ?? model.revisionOf(step.guild);
        const isAllowed = step.by === 'application' || step.by === 'onBehalf';
        const expected = isAllowed
          ? model.erase(this.#call(step), match)
          : { status: 403, body: { type: '/problems/not-guild-owner' } };
        return this.#expect(step, expected, { method: 'DELETE', path: `/guilds/${step.guild}`, match });
      }
      case 'undo':
        return this.#undo(step, Math.max(1, this.#revision(step.guild, step.target)));
      case 'undo twice': {
        const { guild } = step;
        const write = { ...step, match: null, reason: null, isDryRun: false };
        const before = model.read(this.#call(step));
        const newest = model.revision;
        await this.#undo(write, Math.max(1, this.#revision(guild, step.target)));
        if (model.revision === newest) return;
        await this.#undo(write, model.revision);
        // The undo of an undo is always possible, and gives back the record.
        expect(model.read(this.#call(step)).body).toEqual(before.body);
        return;
      }
      case 'restore': {
        const { guild, isDryRun } = step;
        const revision = Math.max(0, this.#revision(guild, step.target));
        const match = this.#match(step);
        const expected = model.restore(this.#call(step), revision, this.#author(step), { match, isDryRun });
        const path = `/guilds/${guild}/restore${isDryRun ? '?dry_run=true' : ''}`;
        return this.#expect(step, expected, { method: 'POST', path, body: { revision }, match });
      }
      case 'read': {
        const at = step.target === null ? undefined : Math.max(0, this.#revision(step.guild, step.target));
        const path = `/guilds/${step.guild}${at === undefined ? '' : `?at=${at}`}`;
        return this.#expect(step, model.read(this.#call(step), at), { path });
      }
      case 'change': {
        const revision = Math.max(1, this.#revision(step.guild, step.target));
        const path = `/guilds/${step.guild}/history/${revision}`;
        return this.#expect(step, model.change(this.#call(step), revision), { path });
      }
      case 'history':
        return this.#compareHistory(step, step.query);
      case 'forget':
        return this.#forget(step);
      case 'report':
        return this.#report(step);
      case 'wait':
        return this.#advance(step.hours * HOUR_MS);
      case 'restart':
        return this.#restart(step.days);
    }
  }

  async compare(): Promise<void> {
    const { revision, oldest } = this.#model;
    await this.#watcher.reach(revision);
    expect(new Map([...this.#watcher.records].sort())).toEqual(new Map([...this.#model.watched()].sort()));
    for (const guild of MODEL_GUILDS) {
      const reader = { type: 'read', guild, by: 'manager' } as const;
      await this.#compareHistory(reader, { limit: 100, filter: {}, before: null, after: null });
      for (const at of [
        undefined,
        0,
        oldest - 2,
        oldest - 1,
        oldest,
        Math.ceil(revision / 2),
        revision,
        revision + 1,
      ]) {
        if (at !== undefined && at < 0) continue;
        const path = `/guilds/${guild}${at === undefined ? '' : `?at=${at}`}`;
        await this.#expect(reader, this.#model.read(this.#call(reader), at), { path });
      }
    }
  }

  async #undo(step: WriteStep & Caller & { readonly isDryRun: boolean }, revision: number): Promise<void> {
    const { guild, isDryRun } = step;
    const match = this.#match(step);
    const expected = this.#model.undo(this.#call(step), revision, this.#author(step), { match, isDryRun });
    const path = `/guilds/${guild}/history/${revision}/undo${isDryRun ? '?dry_run=true' : ''}`;
    await this.#expect(step, expected, { method: 'POST', path, match });
  }

  /** Reads all parts of a history by their links. */
  async #compareHistory(step: Caller, { limit, filter, before, after }: ModelQuery): Promise<void> {
    const { revision } = this.#model;
    const query = {
      ...filter,
      ...(before !== null && { before: Math.max(1, revision - before) }),
      ...(after !== null && { after: Math.max(0, revision - after) }),
    };
    const parameters = new URLSearchParams(
      Object.fromEntries(Object.entries({ ...query, limit }).map(([name, value]) => [name, `${value}`])),
    );
    const entries: unknown[] = [];
    let path: string | undefined = `/guilds/${step.guild}/history?${parameters}`;
    while (path !== undefined) {
      const response = await this.#api.send(path, { token: this.#tokens[step.by], headers: onBehalf(step) });
      this.#count('history', response.status);
      if (this.#model.isLeft(step.guild)) {
        expect(response.status).toBe(404);
        return;
      }
      expect(response.status).toBe(200);
      const part = HistoryPage.parse(await response.json()).entries;
      expect(part.length).toBeLessThanOrEqual(limit);
      entries.push(...part);
      path = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    }
    expect(entries).toEqual(this.#model.history(step.guild, query));
  }

  async #forget(step: Extract<HistoryStep, { type: 'forget' }>): Promise<void> {
    const personId = PERSON_OF[step.by];
    const expected =
      personId === undefined ? { status: 403, body: { type: '/problems/person-only' } } : this.#model.forget(personId);
    await this.#expect(step, expected, { method: 'DELETE', path: '/users/@me/history' });
    if (personId === undefined) return;
    await waitUntil(() => this.#isFinished(), { message: 'the erasure of a person', intervalMs: 5 });
    // A part of a history that was read before is cached for a second. It is not used for a guild that has changed.
    for (const guild of MODEL_GUILDS) {
      const call = { guild, profile: undefined };
      if (this.#model.isLeft(guild)) continue;
      const { beta } = this.#model.read(call).body as Guild;
      await this.run({ type: 'update', guild, by: 'application', match: null, reason: null, patch: { beta: !beta } });
    }
  }

  /** Returns whether the service has finished all erasures. */
  async #isFinished(): Promise<boolean> {
    return /^erasures_unfinished 0$/m.test(await (await fetch(`${this.#api.url}/metrics`)).text());
  }

  async #report({ guild, presence, name }: Extract<HistoryStep, { type: 'report' }>): Promise<void> {
    // Of several guilds that are erased at once, the order is the store's.
    if (presence === 'left' && this.#model.isAnyLeft) return;
    const profile = presence === 'left' ? {} : { name, icon: null };
    this.#model.report(guild, presence, profile, IDS.application);
    const body = presence === 'left' ? { type: 'left', guild } : { type: 'present', guild: { id: guild, ...profile } };
    const token = this.#tokens.application;
    const { status } = await this.#api.send('/trpc/presence.report', { method: 'POST', token, body });
    expect(status).toBe(200);
    this.#count(`report ${presence}`, status);
  }

  /** Restarts the service some days later. Retention runs at the start. */
  async #restart(days: number): Promise<void> {
    this.#advance(days * 24 * HOUR_MS);
    this.#watcher.close();
    const confirmed = new Date(this.#model.nowMs + HOUR_MS).toISOString();
    await this.#api.restart({ RETENTION_CONFIRMED_UNTIL: confirmed });
    const { oldest } = this.#model;
    this.#model.retain();
    await waitUntil(() => this.#isRetained(), { message: 'retention', intervalMs: 20 });
    this.#count(this.#model.oldest > oldest ? 'restart and prune' : 'restart', 200);
    await this.watch();
  }

  /** Returns whether retention has deleted what it has in the model. */
  async #isRetained(): Promise<boolean> {
    const token = this.#tokens.application;
    for (const guild of MODEL_GUILDS) {
      const call = { guild, profile: undefined };
      const at = Math.max(0, this.#model.oldest - 2);
      const past = await this.#api.send(`/guilds/${guild}?at=${at}`, { token });
      if (past.status !== this.#model.read(call, at).status) return false;
      if (this.#model.isLeft(guild)) continue;
      const history = await this.#api.send(`/guilds/${guild}/history?limit=100`, { token });
      if (history.status !== 200) return false;
      const { entries } = HistoryPage.parse(await history.json());
      if (entries.length !== Math.min(100, this.#model.history(guild).length)) return false;
    }
    return true;
  }

  async #expect(step: Pick<Caller, 'by' | 'type'>, expected: ModelResponse, request: ModelRequest): Promise<void> {
    const { method = 'GET', path, body, match } = request;
    const reason = 'reason' in step ? step.reason : null;
    const headers = {
      ...onBehalf(step),
      ...(match !== undefined && { 'if-match': `"${match}"` }),
      ...(typeof reason === 'string' && { 'x-audit-log-reason': encodeURIComponent(reason) }),
    };
    const sent = { method, token: this.#tokens[step.by], headers, ...(body !== undefined && { body }) };
    const response = await this.#api.send(path, sent);
    this.#count(step.type, response.status);
    const what = `${JSON.stringify(step)}: ${method} ${path} at ${this.#model.revision}`;
    expect(responseOf(response.status, response.headers.get('etag'), await bodyOf(response)), what).toEqual(
      // Without what is undefined, as in JSON.
      responseOf(expected.status, expected.etag === undefined ? null : `"${expected.etag}"`, expected.body),
    );
  }

  #advance(ms: number): void {
    this.#model.nowMs += ms;
    this.#api.clock.now = this.#model.nowMs;
  }

  #count(type: string, status: number): void {
    const name = `${type} ${status}`;
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }

  #call({ guild, by }: Caller): ModelCall {
    const { name, icon } = this.#api.discord.world.guilds.guild(guild);
    return { guild, profile: by === 'manager' || by === 'admin' ? { name, icon } : undefined };
  }

  #author({ by, reason }: WriteStep): ModelAuthor {
    switch (by) {
      case 'manager':
      case 'admin':
        return { actor: { kind: 'user', id: PERSON_OF[by] }, origin: 'rest', reason };
      case 'application':
        return { actor: { kind: 'application', id: IDS.application }, origin: 'rest', reason };
      case 'onBehalf':
        return { actor: { kind: 'user', id: PERSON_OF[by] }, origin: 'bot', reason };
    }
  }

  #revision(guild: string, target: ModelTarget): number {
    const { revision } = this.#model;
    if ('back' in target) return revision - target.back;
    const entries = this.#model.history(guild);
    return entries[target.nth % Math.max(1, entries.length)]?.revision ?? revision;
  }

  #match({ guild, match }: WriteStep): number | undefined {
    return match === null ? undefined : Math.max(0, this.#model.revisionOf(guild) - match);
  }
}

type Caller = GuildStep & Pick<HistoryStep, 'type'>;

interface ModelRequest {
  readonly method?: string;
  readonly path: string;
  readonly body?: object;
  readonly match?: number | undefined;
}

async function bodyOf(response: Response): Promise<object> {
  return response.status === 204 || response.status === 202 ? {} : ((await response.json()) as object);
}

/** Returns what is compared of a response: of a problem, the members whose values are not texts for people. */
function responseOf(status: number, etag: string | null, body: object) {
  if (status < 400) return { status, etag, body };
  const { type, current, conflicts = [] } = Problem.partial().parse(body);
  return { status, etag, type, current, conflicts: conflicts.toSorted(byField) };
}

function byField({ field: one }: Conflict, { field: other }: Conflict): number {
  return one < other ? -1 : 1;
}

function onBehalf({ by }: Pick<Caller, 'by'>): Record<string, string> {
  return by === 'onBehalf' ? { 'x-on-behalf-of': IDS.owner } : {};
}

/** Issues tokens that do not expire: the clock of a test goes through years. */
function issueTokens({ discord: { world } }: TestApi): Record<ModelCallerName, string> {
  const common = { applicationId: IDS.application, expiresInSeconds: CENTURY_SECONDS };
  const user = (userId: string) =>
    world.issueUserToken({ ...common, userId, scopes: ['identify', 'guilds'] }).accessToken;
  const application = world.issueClientCredentialsToken({ ...common, scopes: ['applications.commands.update'] });
  return {
    manager: user(IDS.manager),
    admin: user(IDS.admin),
    application: application.accessToken,
    onBehalf: application.accessToken,
  };
}
