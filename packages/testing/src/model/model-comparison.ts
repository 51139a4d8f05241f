import { type Conflict, HistoryPage, Problem } from '@guild-settings/contract';
import { expect } from 'vitest';
import { revisionTagIn, type TestApi } from '../api.ts';
import type { HistoryModel, ModelCall, ModelResponse } from './history-model.ts';
import { type GuildStep, MODEL_GUILDS, type ModelQuery } from './history-steps.ts';
import { type ModelCaller, type ModelTokens, onBehalf } from './model-callers.ts';
import type { WatchedRecords } from '../streams.ts';

/** A request of a step. */
interface ModelRequest {
  readonly method?: string;
  readonly path: string;
  readonly body?: object;
  readonly match?: number | undefined;
}

/** Sends requests to a service, and compares the responses with those of its model. */
export class ModelComparison {
  /** Outcomes by the type of the step and the status. */
  readonly counts: Record<string, number> = {};
  readonly #api: TestApi;
  readonly #model: HistoryModel;
  readonly #tokens: ModelTokens;

  constructor(api: TestApi, model: HistoryModel, tokens: ModelTokens) {
    this.#api = api;
    this.#model = model;
    this.#tokens = tokens;
  }

  /** Sends the request of a step, and compares the response. */
  async expect(step: ModelCaller, expected: ModelResponse, request: ModelRequest): Promise<void> {
    const { method = 'GET', path, body, match } = request;
    const reason = 'reason' in step ? step.reason : null;
    const headers = {
      ...onBehalf(step),
      ...(match !== undefined && { 'if-match': `"${match}"` }),
      ...(typeof reason === 'string' && { 'x-audit-log-reason': encodeURIComponent(reason) }),
    };
    const sent = { method, token: this.#tokens[step.by], headers, ...(body !== undefined && { body }) };
    const response = await this.#api.send(path, sent);
    this.count(step.type, response.status);
    const what = `${JSON.stringify(step)}: ${method} ${path} at ${this.#model.log.revision}`;
    expect(responseOf(response.status, revisionTagIn(response), await bodyOf(response)), what).toEqual(
      // Without what is undefined, as in JSON.
      responseOf(expected.status, expected.etag === undefined ? null : `"${expected.etag}"`, expected.body),
    );
  }

  /** Reads all parts of a history by their links. */
  async history(step: ModelCaller & GuildStep, { limit, filter, before, after }: ModelQuery): Promise<void> {
    const { revision } = this.#model.log;
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
      this.count('history', response.status);
      if (this.#model.log.isLeft(step.guild)) {
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

  /** Compares everything that can be read. */
  async everything(watcher: WatchedRecords): Promise<void> {
    const { revision, oldest } = this.#model.log;
    await watcher.reach(revision);
    expect(new Map([...watcher.records].sort())).toEqual(new Map([...this.#model.watched()].sort()));
    for (const guild of MODEL_GUILDS) {
      const reader = { type: 'read', guild, by: 'manager' } as const;
      await this.history(reader, { limit: 100, filter: {}, before: null, after: null });
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
        await this.expect(reader, this.#model.read(this.call(reader), at), { path });
      }
    }
  }

  /** Returns whether retention has deleted what it has in the model. */
  async isRetained(): Promise<boolean> {
    const token = this.#tokens.application;
    for (const guild of MODEL_GUILDS) {
      const call = { guild, profile: undefined };
      const at = Math.max(0, this.#model.log.oldest - 2);
      const past = await this.#api.send(`/guilds/${guild}?at=${at}`, { token });
      if (past.status !== this.#model.read(call, at).status) return false;
      if (this.#model.log.isLeft(guild)) continue;
      const history = await this.#api.send(`/guilds/${guild}/history?limit=100`, { token });
      if (history.status !== 200) return false;
      const { entries } = HistoryPage.parse(await history.json());
      if (entries.length !== Math.min(100, this.#model.history(guild).length)) return false;
    }
    return true;
  }

  /** Returns whether the service has finished all erasures. */
  async isFinished(): Promise<boolean> {
    return /^erasures_unfinished 0$/m.test(await (await fetch(`${this.#api.url}/metrics`)).text());
  }

  /** Returns the call of a step, for the model. */
  call({ guild, by }: GuildStep): ModelCall {
    const { name, icon } = this.#api.discord.world.guilds.guild(guild);
    return { guild, profile: by === 'manager' || by === 'admin' ? { name, icon } : undefined };
  }

  /** Counts the outcome of a step. */
  count(type: string, status: number): void {
    const name = `${type} ${status}`;
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }
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
