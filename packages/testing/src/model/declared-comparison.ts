import { versionIn } from '@guild-settings/contract';
import { expect } from 'vitest';
import { revisionTagIn, type TestApi } from '../api.ts';
import type { DeclaredModel, ModelResponse } from './declared-model.ts';
import { DeclaredWatcher, GuildFollow } from './declared-readers.ts';
import type { ModelRules } from './declared-rules.ts';
import { DECLARED_GUILDS, type WriteStep } from './declared-steps.ts';
import { type ModelTokens, onBehalf } from './model-callers.ts';

/** A process, and the settings that it declares. */
interface Served {
  readonly api: TestApi;
  readonly tokens: ModelTokens;
  readonly rules: ModelRules;
}

/** A write over REST, and the same over tRPC. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly procedure: string;
  readonly input: object;
}

interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const [FOLLOWED] = DECLARED_GUILDS;

/** Compares a service with its model. */
export class DeclaredComparison {
  readonly counts: Record<string, number> = {};
  readonly #model: DeclaredModel;
  readonly #main: Served;
  readonly #watcher = new DeclaredWatcher();
  readonly #follow = new GuildFollow(FOLLOWED);
  /** The tags by what they depend on. */
  readonly #tags = new Map<string, string>();
  #tag = '';

  constructor(model: DeclaredModel, main: Served) {
    this.#model = model;
    this.#main = main;
  }

  /** Connects the readers to a process that has started, and compares the tag of its declaration. */
  async open(): Promise<void> {
    const { api, tokens, rules } = this.#main;
    const { text } = await this.#get('/settings', api);
    // Without a declaration there is no such path.
    const { tag } = JSON.parse(text) as { readonly tag?: string };
    this.#tag = tag === undefined ? '' : `-${tag}`;
    const identity = rules.identity ?? '';
    expect(this.#tag).toBe(this.#tags.get(identity) ?? this.#tag);
    this.#tags.set(identity, this.#tag);
    expect(new Set(this.#tags.values()).size).toBe(this.#tags.size);
    await this.#watcher.open(api.url, tokens.application);
    await this.#follow.open(api.url, tokens.manager);
  }

  close(): void {
    this.#watcher.close();
    this.#follow.close();
  }

  /** Sends a write, and compares the response. */
  async write(step: WriteStep & { readonly type: string }, process: Served, sent: Sent, expected: () => ModelResponse) {
    const { guild, by, isOverTrpc, match } = step;
    const { revision } = this.#model.guild(guild);
    const tags = ['', '-0000abcd', ...this.#tags.values()];
    const at = match === 'right' ? `${revision}${tags[revision % tags.length]}` : `${revision - 1}${this.#tag}`;
    const headers = { ...onBehalf({ by }), ...(match !== 'none' && { 'if-match': `"${at}"` }) };
    const [method, path, body] = isOverTrpc
      ? ['POST', `/trpc/${sent.procedure}`, sent.input]
      : [sent.method, sent.path, sent.body];
    const received = await this.#get(path, process.api, {
      method,
      headers: {
        authorization: `Bearer ${process.tokens[by]}`,
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    this.count(step.type, received.status);
    const what = `${JSON.stringify(step)} ${method} ${path} ${JSON.stringify(body)}`;
    const isDeclared = process === this.#main;
    expect(ordered(outcomeOf(received)), what).toEqual(ordered(expected()));
    if (received.status === 200 && !isOverTrpc && isDeclared)
      expect(revisionTagIn(received), what).toBe(`"${this.#model.guild(guild).revision}${this.#tag}"`);
  }

  /** Compares the record of a guild and what the readers have. */
  async record(id: string): Promise<void> {
    const { revision } = this.#model.guild(id);
    const json = JSON.stringify(this.#model.record(id, this.#main.rules));
    // With an origin the fast path passes the request on.
    for (const headers of [{ origin: 'https://example.com' }, {}]) {
      const received = await this.#read(`/guilds/${id}`, headers);
      expect(received.text).toBe(json);
      expect(revisionTagIn(received)).toBe(`"${revision}${this.#tag}"`);
    }
    await this.#compareReaders();
  }

  /** Compares everything that is read of a guild. @returns its export */
  async guild(id: string): Promise<{ readonly settings: Readonly<Record<string, unknown>> }> {
    await this.record(id);
    const { revision } = this.#model.guild(id);
    const record = this.#model.record(id, this.#main.rules);
    const called = await this.#read(`/trpc/guilds.get?input=${encodeURIComponent(JSON.stringify({ guild: id }))}`);
    expect(JSON.stringify(JSON.parse(called.text).result.data)).toBe(JSON.stringify(record));
    for (const at of [revision, this.#earlier(5), this.#earlier(7)]) await this.#compareAt(id, at);
    const exported = JSON.parse((await this.#read(`/guilds/${id}/export`)).text);
    const { name: _, icon: __, id: ___, ...settings } = record as Record<string, unknown>;
    expect(JSON.stringify(exported.settings)).toBe(JSON.stringify(settings));
    await this.#compareConditions(id, revision);
    return exported;
  }

  /** Counts the outcome of a step. */
  count(type: string, status: number): void {
    const name = `${type} ${status}`;
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }

  /** Returns one of the earlier revisions, after those of the first reports. */
  #earlier(factor: number): number {
    const { revision } = this.#model;
    const first = DECLARED_GUILDS.length;
    return first + ((revision * factor * 31) % Math.max(1, revision - first + 1));
  }

  async #compareAt(id: string, at: number): Promise<void> {
    const { record, revision, isFinal } = this.#model.recordAt(id, at, this.#main.rules);
    const { text, headers } = await this.#read(`/guilds/${id}?at=${at}`);
    const what = `at ${at} of ${this.#model.revision}`;
    expect(text, what).toBe(JSON.stringify(record));
    expect(revisionTagIn({ headers }), what).toBe(`"${revision}${this.#tag}"`);
    expect(headers.get('cache-control'), what).not.toContain('immutable');
    const { epoch } = versionIn(headers.get('etag') ?? '') ?? {};
    if (epoch === undefined) return;
    const final = await this.#read(`/guilds/${id}?at=${revision}&epoch=${epoch}`);
    expect(final.text, what).toBe(text);
    expect(final.headers.get('cache-control')?.includes('immutable'), what).toBe(isFinal);
  }

  /** Compares the responses to conditions on the entity tag, also on those of other declarations. */
  async #compareConditions(id: string, revision: number): Promise<void> {
    const etag = (await this.#read(`/guilds/${id}`)).headers.get('etag') ?? '';
    const tags = ['-0000abcd', ...this.#tags.values()];
    const tag = tags[revision % tags.length] ?? '';
    const cases = [
      [{ 'if-none-match': etag }, 304],
      [{ 'if-match': etag }, 200],
      [{ 'if-none-match': etag.replace(this.#tag.slice(1), tag.slice(1)) }, tag === this.#tag ? 304 : 200],
      [{ 'if-match': `"${revision}${tag}"` }, 200],
      [{ 'if-match': `"${revision + 1}${tag}"` }, 412],
    ] as const;
    for (const [headers, status] of cases)
      expect((await this.#read(`/guilds/${id}`, headers)).status, JSON.stringify(headers)).toBe(status);
  }

  async #compareReaders(): Promise<void> {
    const { rules } = this.#main;
    await this.#watcher.reach(this.#model.revision);
    for (const guild of DECLARED_GUILDS) {
      expect(JSON.stringify(this.#watcher.record(guild)), 'the record of the watcher').toBe(
        JSON.stringify(this.#model.record(guild, rules)),
      );
      const { set } = this.#model.guild(guild);
      const expected = rules.settings.filter(({ field, fits }) => fits(set[field])).map(({ field }) => field);
      const fields = this.#watcher.fieldsSet(guild);
      if (rules.declaration !== undefined) expect(fields, 'the fields that are set').toEqual(expected);
    }
    const event = await this.#follow.eventAt(this.#model.guild(FOLLOWED).revision);
    if (event === undefined) return;
    expect(event.guild, 'the record in the stream of the guild').toEqual(this.#model.record(FOLLOWED, rules));
    const [change] = this.#model.changes(FOLLOWED);
    if (event.type === 'changed') {
      const { presence: _, ...changes } = event.changes;
      expect(changes, 'the change in the stream of the guild').toEqual(change?.changes);
    }
  }

  #read(path: string, headers: object = {}): Promise<Received> {
    const { api, tokens } = this.#main;
    return this.#get(path, api, { headers: { authorization: `Bearer ${tokens.manager}`, ...headers } });
  }

  async #get(path: string, { url }: TestApi, init?: RequestInit): Promise<Received> {
    const response = await fetch(`${url}${path}`, init);
    return { status: response.status, headers: response.headers, text: await response.text() };
  }
}

/** Returns what is compared of a response, over either transport. */
function outcomeOf({ status, text }: Received): ModelResponse {
  const json = JSON.parse(text);
  if (status < 400) {
    const body = json.result?.data ?? json;
    const { skipped } = body;
    const short = ({ pointer, reason }: { pointer: string; reason: string }) => ({ pointer, reason });
    return { status, body: { ...body, ...(skipped && { skipped: skipped.map(short) }) } };
  }
  const problem = json.error?.data?.problem ?? json;
  const found = problem.issues?.map(({ pointer }: { pointer: string }) => pointer);
  const pointers = found && [...new Set(found)].sort();
  const slug = String(problem.type).replace('/problems/', '');
  return { status, slug, ...(pointers && { pointers }), ...(problem.current && { body: problem.current }) };
}

/** Orders the skipped fields: what is stored has no order. */
function ordered({ body, ...response }: ModelResponse): ModelResponse {
  const { skipped, ...rest } = (body ?? {}) as { readonly skipped?: readonly { readonly pointer: string }[] };
  const sorted = skipped?.toSorted((one, other) => (one.pointer < other.pointer ? -1 : 1));
  return { ...response, ...(body && { body: { ...rest, ...(sorted && { skipped: sorted }) } }) };
}
