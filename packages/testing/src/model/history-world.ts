import type { Guild } from '@guild-settings/contract';
import { waitUntil } from '../index.ts';
import { expect } from 'vitest';
import { startApi, type TestApi } from '../api.ts';
import { HistoryModel } from './history-model.ts';
import { type HistoryStep, MODEL_GUILDS, type ModelTarget, type WriteStep } from './history-steps.ts';
import { authorOf, issueTokens, type ModelCaller, type ModelTokens, personOf } from './model-callers.ts';
import { ModelComparison } from './model-comparison.ts';
import { IDS } from '../people.ts';
import { WatchedRecords } from '../streams.ts';

const HOUR_MS = 3_600_000;

/** A service and its model, which do the same steps. */
interface HistoryWorld extends AsyncDisposable {
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
  readonly #api: TestApi;
  readonly #model: HistoryModel;
  readonly #tokens: ModelTokens;
  readonly #compared: ModelComparison;
  readonly #watcher = new WatchedRecords();

  constructor(api: TestApi) {
    this.#api = api;
    this.#model = new HistoryModel(api.clock.now);
    this.#tokens = issueTokens(api);
    this.#compared = new ModelComparison(api, this.#model, this.#tokens);
  }

  get counts(): Readonly<Record<string, number>> {
    return this.#compared.counts;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watcher.close();
    await this.#api[Symbol.asyncDispose]();
  }

  watch(): Promise<void> {
    return this.#watcher.open(this.#api.url, this.#tokens.application);
  }

  compare(): Promise<void> {
    return this.#compared.everything(this.#watcher);
  }

  async run(step: HistoryStep): Promise<void> {
    this.#advance(1);
    const model = this.#model;
    switch (step.type) {
      case 'update': {
        const { guild, patch } = step;
        const match = this.#match(step);
        const expected = model.update(this.#compared.call(step), patch, authorOf(step), match);
        return this.#compared.expect(step, expected, { method: 'PATCH', path: `/guilds/${guild}`, body: patch, match });
      }
      case 'switch': {
        const { guild, feature, isEnabled } = step;
        const match = this.#match(step);
        const expected = model.switchFeature(this.#compared.call(step), step, authorOf(step), match);
        const method = isEnabled ? 'PUT' : 'DELETE';
        return this.#compared.expect(step, expected, { method, path: `/guilds/${guild}/features/${feature}`, match });
      }
      case 'import': {
        const { guild, patch, isDryRun } = step;
        const match = this.#match(step);
        const expected = model.import(this.#compared.call(step), patch, authorOf(step), { match, isDryRun });
        const path = `/guilds/${guild}/import${isDryRun ? '?dry_run=true' : ''}`;
        return this.#compared.expect(step, expected, {
          method: 'POST',
          path,
          body: { version: 1, guild, settings: patch },
          match,
        });
      }
      case 'erase': {
        const match = this.#match(step) ?? model.log.revisionOf(step.guild);
        const isAllowed = step.by === 'application' || step.by === 'onBehalf';
        const expected = isAllowed
          ? model.erase(this.#compared.call(step), match)
          : { status: 403, body: { type: '/problems/not-guild-owner' } };
        return this.#compared.expect(step, expected, { method: 'DELETE', path: `/guilds/${step.guild}`, match });
      }
      case 'undo':
        return this.#undo(step, Math.max(1, this.#revision(step.guild, step.target)));
      case 'undo twice': {
        const { guild } = step;
        const write = { ...step, match: null, reason: null, isDryRun: false };
        const before = model.read(this.#compared.call(step));
        const newest = model.log.revision;
        await this.#undo(write, Math.max(1, this.#revision(guild, step.target)));
        if (model.log.revision === newest) return;
        await this.#undo(write, model.log.revision);
        // The undo of an undo is always possible, and gives back the record.
        expect(model.read(this.#compared.call(step)).body).toEqual(before.body);
        return;
      }
      case 'restore': {
        const { guild, isDryRun } = step;
        const revision = Math.max(0, this.#revision(guild, step.target));
        const match = this.#match(step);
        const expected = model.restore(this.#compared.call(step), revision, authorOf(step), { match, isDryRun });
        const path = `/guilds/${guild}/restore${isDryRun ? '?dry_run=true' : ''}`;
        return this.#compared.expect(step, expected, { method: 'POST', path, body: { revision }, match });
      }
      case 'read': {
        const at = step.target === null ? undefined : Math.max(0, this.#revision(step.guild, step.target));
        const path = `/guilds/${step.guild}${at === undefined ? '' : `?at=${at}`}`;
        return this.#compared.expect(step, model.read(this.#compared.call(step), at), { path });
      }
      case 'change': {
        const revision = Math.max(1, this.#revision(step.guild, step.target));
        const path = `/guilds/${step.guild}/history/${revision}`;
        return this.#compared.expect(step, model.change(this.#compared.call(step), revision), { path });
      }
      case 'history':
        return this.#compared.history(step, step.query);
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

  async #undo(step: WriteStep & ModelCaller & { readonly isDryRun: boolean }, revision: number): Promise<void> {
    const { guild, isDryRun } = step;
    const match = this.#match(step);
    const expected = this.#model.undo(this.#compared.call(step), revision, authorOf(step), { match, isDryRun });
    const path = `/guilds/${guild}/history/${revision}/undo${isDryRun ? '?dry_run=true' : ''}`;
    await this.#compared.expect(step, expected, { method: 'POST', path, match });
  }

  async #forget(step: Extract<HistoryStep, { type: 'forget' }>): Promise<void> {
    const personId = personOf(step);
    const expected =
      personId === undefined ? { status: 403, body: { type: '/problems/person-only' } } : this.#model.forget(personId);
    await this.#compared.expect(step, expected, { method: 'DELETE', path: '/users/@me/history' });
    if (personId === undefined) return;
    await waitUntil(() => this.#compared.isFinished(), { message: 'the erasure of a person', intervalMs: 5 });
    // A part of a history that was read before is cached for a second. It is not used for a guild that has changed.
    for (const guild of MODEL_GUILDS) {
      const call = { guild, profile: undefined };
      if (this.#model.log.isLeft(guild)) continue;
      const { beta } = this.#model.read(call).body as Guild;
      await this.run({ type: 'update', guild, by: 'application', match: null, reason: null, patch: { beta: !beta } });
    }
  }

  async #report({ guild, presence, name }: Extract<HistoryStep, { type: 'report' }>): Promise<void> {
    // Of several guilds that are erased at once, the order is the store's.
    if (presence === 'left' && this.#model.log.isAnyLeft) return;
    const profile = presence === 'left' ? {} : { name, icon: null };
    this.#model.log.report(guild, presence, profile, IDS.application);
    const body = presence === 'left' ? { type: 'left', guild } : { type: 'present', guild: { id: guild, ...profile } };
    const token = this.#tokens.application;
    const { status } = await this.#api.send('/trpc/presence.report', { method: 'POST', token, body });
    expect(status).toBe(200);
    this.#compared.count(`report ${presence}`, status);
  }

  /** Restarts the service some days later. Retention runs at the start. */
  async #restart(days: number): Promise<void> {
    this.#advance(days * 24 * HOUR_MS);
    this.#watcher.close();
    const confirmed = new Date(this.#model.log.nowMs + HOUR_MS).toISOString();
    await this.#api.restart({ RETENTION_CONFIRMED_UNTIL: confirmed });
    const { oldest } = this.#model.log;
    this.#model.log.retain();
    await waitUntil(() => this.#compared.isRetained(), { message: 'retention', intervalMs: 20 });
    this.#compared.count(this.#model.log.oldest > oldest ? 'restart and prune' : 'restart', 200);
    await this.watch();
  }

  #advance(ms: number): void {
    this.#model.log.nowMs += ms;
    this.#api.clock.now = this.#model.log.nowMs;
  }

  #revision(guild: string, target: ModelTarget): number {
    const { revision } = this.#model.log;
    if ('back' in target) return revision - target.back;
    const entries = this.#model.history(guild);
    return entries[target.nth % Math.max(1, entries.length)]?.revision ?? revision;
  }

  #match({ guild, match }: WriteStep): number | undefined {
    return match === null ? undefined : Math.max(0, this.#model.log.revisionOf(guild) - match);
  }
}
