import { HistoryPage, versionIn } from '@guild-settings/contract';
import { expect } from 'vitest';
import { revisionTagIn, type Sent, type TestApi } from '../api.ts';
import { IDS } from '../people.ts';
import { Model, type ModelCall, type ModelResponse } from './model.ts';
import { ModelFollower, ModelWatcher } from './readers.ts';
import { ModelRules } from './rules.ts';
import { type Body, type CallerName, GUILDS, type GuildStep, type Query, type WriteStep } from './steps.ts';

const CENTURY_SECONDS = 3_000_000_000;

/** The people that callers are, or act for. */
export const PEOPLE = { manager: IDS.manager, admin: IDS.admin, onBehalf: IDS.owner, application: undefined } as const;

type Tokens = Readonly<Record<CallerName, string>>;

export interface Process {
  readonly api: TestApi;
  readonly tokens: Tokens;
  rules: ModelRules;
}

interface Request {
  readonly method?: string;
  readonly path: string;
  readonly body?: object;
  readonly procedure?: string;
  readonly input?: object;
}

/** Compares a service with its model: the responses to steps, everything that can be read, and the received streams. */
export class ModelComparison {
  /** Number of outcomes by type of step and status. */
  readonly counts: Record<string, number> = {};
  protected readonly model: Model;
  protected readonly main: Process;
  protected readonly isDeclared: boolean;
  protected readonly guilds: readonly string[];
  readonly #watcher: ModelWatcher;
  readonly #follower = new ModelFollower(GUILDS[0]);
  /** The tags of declarations, by the data that they depend on. */
  readonly #tags = new Map<string, string>();
  #tag = '';

  constructor(api: TestApi, isDeclared: boolean) {
    this.main = { api, tokens: issueTokens(api), rules: new ModelRules(undefined) };
    this.model = new Model(api.clock.now);
    this.isDeclared = isDeclared;
    this.guilds = isDeclared ? GUILDS.slice(0, 2) : GUILDS;
    this.#watcher = new ModelWatcher(isDeclared);
  }

  /** Connects the readers to a new process, and compares the tag of its declaration. */
  protected async open(): Promise<void> {
    const { api, tokens, rules } = this.main;
    await this.#watcher.open(api.url, tokens.application);
    if (!this.isDeclared) return;
    // Without a declaration this path does not exist.
    const { tag } = (await (await this.get('/settings')).json()) as { readonly tag?: string };
    this.#tag = tag === undefined ? '' : `-${tag}`;
    const identity = rules.identity ?? '';
    expect(this.#tag).toBe(this.#tags.get(identity) ?? this.#tag);
    this.#tags.set(identity, this.#tag);
    expect(new Set(this.#tags.values()).size).toBe(this.#tags.size);
    await this.#follower.open(api.url, tokens.manager);
  }

  protected close(): void {
    this.#watcher.close();
    this.#follower.close();
  }

  /** Sends the request of a step, and compares the response. */
  protected async expect(
    step: Pick<GuildStep, 'by'> & { readonly type: string } & Partial<WriteStep>,
    request: Request,
    expected: () => ModelResponse,
    process = this.main,
  ): Promise<void> {
    const { by, reason = null, isOverTrpc = false } = step;
    const etag = step.guild !== undefined && step.match != null ? this.#tagOf(step.guild, step.match, step.type) : '';
    const headers = {
      ...(by === 'onBehalf' && { 'x-on-behalf-of': PEOPLE.onBehalf }),
      ...(etag !== '' && { 'if-match': etag }),
      ...(reason !== null && { 'x-audit-log-reason': encodeURIComponent(reason) }),
    };
    const {
      method = 'GET',
      path,
      body,
    } = isOverTrpc ? { method: 'POST', path: `/trpc/${request.procedure}`, body: request.input } : request;
    const sent = { method, token: process.tokens[by], headers, ...(body !== undefined && { body }) };
    const response = await process.api.send(path, sent);
    this.count(step.type, response.status);
    const what = `${JSON.stringify(step)}: ${method} ${path} ${JSON.stringify(body)} at ${this.model.revision}`;
    const { etag: revision, ...outcome } = expected();
    expect(ordered(await outcomeOf(response), this.isDeclared), what).toEqual(ordered(outcome, this.isDeclared));
    if (isOverTrpc || process !== this.main || (this.isDeclared && response.status !== 200)) return;
    expect(revisionTagIn(response), what).toBe(revision === undefined ? null : `"${revision}${this.#tag}"`);
  }

  /** Returns an entity tag for a condition; if it is that of the guild, also with the tag of another declaration. */
  #tagOf(guild: string, match: number, type: string): string {
    const { revision } = this.model.guild(guild);
    const at = type === 'erase' ? match : Math.max(0, revision - match);
    const tags = this.isDeclared ? ['', '-0000abcd', ...this.#tags.values()] : [''];
    return `"${at}${at === revision ? tags[revision % tags.length] : this.#tag}"`;
  }

  /** Compares everything that can be read without a declaration. */
  async compare(): Promise<void> {
    const model = this.model;
    const { revision, oldest } = model;
    await this.#watcher.reach(revision);
    const known = model.guilds().map((guild) => {
      const call = { guild, rules: this.main.rules };
      return [guild, { revision: model.guild(guild).revision, guild: model.record(call) }] as const;
    });
    expect(new Map([...this.#watcher.records].sort())).toEqual(new Map([...known].sort()));
    for (const guild of this.guilds) {
      const reader = { type: 'read', guild, by: 'manager' } as const;
      await this.compareHistory(reader, { limit: 100, filter: {}, before: null, after: null });
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
        await this.expect(reader, { path }, () => model.read(this.call(reader), at));
      }
    }
  }

  /** Reads all parts of a history by their links. */
  protected async compareHistory({ guild, by }: GuildStep, { limit, filter, before, after }: Query): Promise<void> {
    const { revision } = this.model;
    const query = {
      ...filter,
      ...(before !== null && { before: Math.max(1, revision - before) }),
      ...(after !== null && { after: Math.max(0, revision - after) }),
    };
    const parameters = Object.entries({ ...query, limit }).map(([name, value]): [string, string] => [name, `${value}`]);
    const entries: unknown[] = [];
    let path: string | undefined = `/guilds/${guild}/history?${new URLSearchParams(parameters)}`;
    while (path !== undefined) {
      const response = await this.get(path, by === 'onBehalf' ? { 'x-on-behalf-of': PEOPLE.onBehalf } : {}, by);
      this.count('history', response.status);
      expect(response.status).toBe(this.model.isLeft(guild) ? 404 : 200);
      if (response.status === 404) return;
      const part = HistoryPage.parse(await response.json()).entries;
      expect(part.length).toBeLessThanOrEqual(limit);
      entries.push(...part);
      path = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    }
    expect(entries).toEqual(this.model.history(guild, query));
  }

  protected async compareRecord(guild: string): Promise<void> {
    const call = { guild, rules: this.main.rules };
    const json = JSON.stringify(this.model.record(call));
    // With an origin the fast path passes the request on.
    for (const headers of [{ origin: 'https://example.com' }, {}]) {
      const received = await this.get(`/guilds/${guild}`, headers);
      expect(await received.text()).toBe(json);
      expect(revisionTagIn(received)).toBe(`"${this.model.guild(guild).revision}${this.#tag}"`);
    }
    await this.#compareReaders();
  }

  /** Compares everything that can be read of a guild with a declaration. @returns the settings of its export */
  protected async compareGuild(guild: string): Promise<Body> {
    await this.compareRecord(guild);
    const { revision } = this.model.guild(guild);
    const record = this.model.record({ guild, rules: this.main.rules });
    const called = await this.get(`/trpc/guilds.get?input=${encodeURIComponent(JSON.stringify({ guild }))}`);
    const { result } = (await called.json()) as { readonly result: { readonly data: object } };
    expect(JSON.stringify(result.data)).toBe(JSON.stringify(record));
    // After the first reports.
    const [first, newest] = [this.guilds.length, this.model.revision];
    const earlier = (factor: number) => first + ((newest * factor * 31) % Math.max(1, newest - first + 1));
    for (const at of [revision, earlier(5), earlier(7)]) await this.#compareAt(guild, at);
    const exported = await this.get(`/guilds/${guild}/export`);
    const { settings } = (await exported.json()) as { readonly settings: Body };
    const { name: _, icon: __, id: ___, ...expected } = record as Record<string, unknown>;
    expect(JSON.stringify(settings)).toBe(JSON.stringify(expected));
    await this.#compareConditions(guild, revision);
    return settings;
  }

  async #compareAt(guild: string, at: number): Promise<void> {
    const { rules } = this.main;
    const { body, etag } = this.model.read({ guild, rules }, at);
    const received = await this.get(`/guilds/${guild}?at=${at}`);
    const what = `at ${at} of ${this.model.revision}`;
    const text = await received.text();
    expect(text, what).toBe(JSON.stringify(body));
    expect(revisionTagIn(received), what).toBe(`"${etag}${this.#tag}"`);
    expect(received.headers.get('cache-control'), what).not.toContain('immutable');
    const { epoch } = versionIn(received.headers.get('etag') ?? '') ?? {};
    if (epoch === undefined) return;
    const final = await this.get(`/guilds/${guild}?at=${etag}&epoch=${epoch}`);
    expect(await final.text(), what).toBe(text);
    const isFinal = this.model.isFinal(guild, at, rules);
    expect(final.headers.get('cache-control')?.includes('immutable'), what).toBe(isFinal);
  }

  /** Compares the responses to conditions on the entity tag, including tags of other declarations. */
  async #compareConditions(guild: string, revision: number): Promise<void> {
    const etag = (await this.get(`/guilds/${guild}`)).headers.get('etag') ?? '';
    const tags = ['-0000abcd', ...this.#tags.values()];
    const tag = tags[revision % tags.length] ?? '';
    const other =
      this.#tag === '' ? etag.replace(/"$/, `${tag.slice(1)}"`) : etag.replace(this.#tag.slice(1), tag.slice(1));
    const cases = [
      [{ 'if-none-match': etag }, 304],
      [{ 'if-match': etag }, 200],
      [{ 'if-none-match': other }, tag === this.#tag ? 304 : 200],
      [{ 'if-match': `"${revision}${tag}"` }, 200],
      [{ 'if-match': `"${revision + 1}${tag}"` }, 412],
    ] as const;
    for (const [headers, status] of cases)
      expect((await this.get(`/guilds/${guild}`, headers)).status, JSON.stringify(headers)).toBe(status);
  }

  async #compareReaders(): Promise<void> {
    const { rules } = this.main;
    await this.#watcher.reach(this.model.revision);
    for (const guild of this.guilds) {
      const json = JSON.stringify(this.model.record({ guild, rules }));
      expect(JSON.stringify(this.#watcher.record(guild)), 'the record of the watcher').toBe(json);
      const { set } = this.model.guild(guild);
      const expected = rules.settings
        .filter(({ field, read }) => read(set[field]) !== undefined)
        .map(({ field }) => field);
      if (rules.declaration !== undefined)
        expect(this.#watcher.fieldsSet(guild), 'the fields that are set').toEqual(expected);
    }
    const [followed] = GUILDS;
    const event = await this.#follower.eventAt(this.model.guild(followed).revision);
    if (event === undefined) return;
    const record = this.model.record({ guild: followed, rules });
    expect(event.guild, 'the record in the stream of the guild').toEqual(record);
    if (event.type === 'changed')
      expect(event.changes, 'the change in the stream').toEqual(
        rules.shown(this.model.entries(followed).at(-1)?.changes ?? {}),
      );
  }

  protected get(path: string, headers: Sent['headers'] = {}, by: CallerName = 'manager'): Promise<Response> {
    return this.main.api.send(path, { token: this.main.tokens[by], headers: headers ?? {} });
  }

  protected call({ guild, by }: GuildStep): ModelCall {
    const { name, icon } = this.main.api.discord.world.guilds.guild(guild);
    const profile = by === 'manager' || by === 'admin' ? { name, icon } : undefined;
    return { guild, rules: this.main.rules, profile };
  }

  protected count(type: string, status: number): void {
    const name = `${type} ${status}`;
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }
}

/** Issues tokens that do not expire, because the clock of a test advances by years. */
export function issueTokens({ discord: { world } }: TestApi): Tokens {
  const common = { applicationId: IDS.application, expiresInSeconds: CENTURY_SECONDS };
  const user = (userId: string) =>
    world.issueUserToken({ ...common, userId, scopes: ['identify', 'guilds'] }).accessToken;
  const application = world.issueClientCredentialsToken({ ...common, scopes: ['applications.commands.update'] });
  const { accessToken } = application;
  return { manager: user(IDS.manager), admin: user(IDS.admin), application: accessToken, onBehalf: accessToken };
}

/**
 * Returns the compared parts of a response, over either transport; for a problem, the members that are not texts for
 * people.
 */
async function outcomeOf(response: Response): Promise<ModelResponse> {
  const { status } = response;
  if (status === 202 || status === 204) return { status, body: {} };
  // biome-ignore lint/suspicious/noExplicitAny: A body of any operation, over either transport.
  const json = (await response.json()) as any;
  if (status < 400) {
    const body = json.result?.data ?? json;
    const short = ({ pointer, reason }: { pointer: string; reason: string }) => ({ pointer, reason });
    return { status, body: { ...body, ...(body.skipped && { skipped: body.skipped.map(short) }) } };
  }
  const { type, issues, current, conflicts } = json.error?.data?.problem ?? json;
  const pointers = issues && [...new Set<string>(issues.map(({ pointer }: { pointer: string }) => pointer))].sort();
  return {
    status,
    slug: String(type).replace('/problems/', ''),
    ...(pointers && { pointers }),
    ...(current && { body: current }),
    ...(conflicts && { conflicts }),
  };
}

/** Sorts unordered parts, and removes conflicts if settings are declared, which the model does not know. */
function ordered({ body, conflicts = [], ...response }: ModelResponse, isDeclared: boolean): ModelResponse {
  const { skipped, ...rest } = (body ?? {}) as { readonly skipped?: readonly { readonly pointer: string }[] };
  const sorted = skipped?.toSorted((one, other) => (one.pointer < other.pointer ? -1 : 1));
  return {
    ...response,
    conflicts: isDeclared ? [] : [...conflicts].sort((one, other) => (one.field < other.field ? -1 : 1)),
    ...(body && { body: { ...rest, ...(sorted && { skipped: sorted }) } }),
  };
}
