import { writeFileSync } from 'node:fs';
import { type Guild, HistoryPage } from '@guild-settings/contract';
import type { Declaration } from '@guild-settings/contract/settings';
import { expect } from 'vitest';
import { startApi, type TestApi } from '../api.ts';
import { temporaryFolder } from '../files.ts';
import { ICON, IDS } from '../people.ts';
import { waitUntil } from '../time.ts';
import { issueTokens, ModelComparison, PEOPLE, type Process } from './comparison.ts';
import type { Author } from './log.ts';
import type { ModelResponse, ModelWrite } from './model.ts';
import { ModelRules } from './rules.ts';
import {
  type Body,
  type CallerName,
  type DeclarationEdit,
  editedDeclaration,
  merged,
  POOL,
  type Step,
  settingsOf,
  type Target,
  type Write,
  type WriteStep,
} from './steps.ts';

const HOUR_MS = 3_600_000;

const FIRST: NonNullable<Declaration['settings']> = Object.fromEntries(
  Object.entries(POOL).flatMap(([name, [first]]) => (first ? [[name, first]] : [])),
);

/** Exports that imports choose from. */
const KEPT_EXPORTS = 6;

/** Among the steps with declarations that change nothing, every nth is followed by a complete comparison. */
const FULL_EVERY = 5;

/**
 * A service and its model, which run the same steps. With declarations, another process has an older one on the same
 * database.
 */
export class ModelWorld extends ModelComparison implements AsyncDisposable {
  readonly #env: NodeJS.ProcessEnv;
  readonly #folder = temporaryFolder();
  /** The process with the older declaration, which runs beside the other one on PostgreSQL. */
  #old: Process | undefined;
  #isOldUp = false;
  #before = new ModelRules(undefined);
  #declaration: Declaration = { settings: FIRST };
  #exports: { readonly guild: string; readonly settings: Body }[] = [];
  #files = 0;
  #steps = 0;

  private constructor(api: TestApi, env: NodeJS.ProcessEnv, isDeclared: boolean) {
    super(api, isDeclared);
    this.#env = env;
  }

  static async start(database: NodeJS.ProcessEnv, isDeclared: boolean): Promise<ModelWorld> {
    const env = { LOG_LEVEL: 'error', AUTH_CACHE_TTL: '86400', ...database };
    const world = new ModelWorld(await startApi(env), env, isDeclared);
    await world.open();
    if (!isDeclared) return world;
    for (const guild of world.guilds)
      await world.#report({ type: 'report', guild, presence: 'present', name: 'One', icon: ICON });
    await world.#declare([]);
    return world;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
    await this.#old?.api[Symbol.asyncDispose]();
    await this.main.api[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }

  /** Runs a step on both, and compares the responses; with declarations, also the guild. */
  async run(step: Step): Promise<void> {
    const { revision } = this.model;
    this.#steps += 1;
    this.#advance(1_000);
    await this.#take(step);
    if (!this.isDeclared || !('guild' in step)) return;
    // A write without an effect is usually a refusal.
    if (this.model.revision === revision && this.#steps % FULL_EVERY !== 0) return this.compareRecord(step.guild);
    const settings = await this.compareGuild(step.guild);
    this.#exports = [{ guild: step.guild, settings }, ...this.#exports].slice(0, KEPT_EXPORTS);
  }

  async #take(step: Step): Promise<void> {
    const model = this.model;
    switch (step.type) {
      case 'erase': {
        const match = this.#match(step) ?? model.guild(step.guild).revision;
        const isAllowed = step.by === 'application' || step.by === 'onBehalf';
        const expected = () => (isAllowed ? model.erase(this.call(step), match) : problem(403, 'not-guild-owner'));
        return this.expect({ ...step, match }, { method: 'DELETE', path: `/guilds/${step.guild}` }, expected);
      }
      case 'undo twice': {
        const write = { ...step, type: 'undo', match: null, reason: null } as const;
        const [before, newest] = [model.read(this.call(step)), model.revision];
        await this.#write(write, this.main);
        if (model.revision === newest) return;
        await this.#write({ ...write, target: { back: 0 } }, this.main);
        // The undo of an undo is always possible, and restores the record.
        return expect(model.read(this.call(step)).body).toEqual(before.body);
      }
      case 'read': {
        const at = step.target === null ? undefined : Math.max(0, this.#revision(step.guild, step.target));
        const path = `/guilds/${step.guild}${at === undefined ? '' : `?at=${at}`}`;
        return this.expect(step, { path }, () => model.read(this.call(step), at));
      }
      case 'change': {
        const revision = Math.max(1, this.#revision(step.guild, step.target));
        const path = `/guilds/${step.guild}/history/${revision}`;
        return this.expect(step, { path }, () => model.change(this.call(step), revision));
      }
      case 'history':
        return this.compareHistory(step, step.query);
      case 'forget':
        return this.#forget(step.by);
      case 'report':
        return this.#report(step);
      case 'wait':
        return this.#advance(step.hours * HOUR_MS);
      case 'restart':
        return this.#retain(step.days);
      case 'declare':
        return this.#declare(step.edits);
      default:
        if (!step.isToOld) return this.#write(step, this.main);
        if (this.#isOldUp && this.#old) return this.#write(step, this.#old);
        if (this.#env.DATABASE_URL === undefined) return this.#writeBetween(step);
    }
  }

  #write(step: Write, process: Process): Promise<void> {
    const { guild, isDryRun = false, isOverTrpc = false } = step;
    const [model, { rules }, path] = [this.model, process, `/guilds/${guild}`];
    const write: ModelWrite = {
      ...this.call(step),
      rules,
      author: authorOf(step, isOverTrpc),
      match: this.#match(step),
      isDryRun,
    };
    const dry = isDryRun ? '?dry_run=true' : '';
    switch (step.type) {
      case 'update': {
        const body = merged(step.isWhole ? model.record(write) : {}, settingsOf(step, rules));
        const sent = { method: 'PATCH', path, body, procedure: 'guilds.update', input: { ...body, guild } };
        return this.expect(step, sent, () => model.update(write, body), process);
      }
      case 'switch': {
        const { feature, isEnabled } = step;
        const [method, procedure] = isEnabled ? ['PUT', 'guilds.enableFeature'] : ['DELETE', 'guilds.disableFeature'];
        const sent = { method, path: `${path}/features/${feature}`, procedure, input: { guild, feature } };
        return this.expect(step, sent, () => model.switchFeature(write, feature, isEnabled), process);
      }
      case 'import': {
        const known = this.#exports[step.nth % Math.max(1, this.#exports.length)] ?? { guild, settings: {} };
        const settings = merged(known.settings, settingsOf(step, rules));
        const body = { version: 1, guild: known.guild, settings };
        const input = { guild, dry_run: isDryRun, document: body };
        const sent = { method: 'POST', path: `${path}/import${dry}`, body, procedure: 'guilds.import', input };
        const place = isOverTrpc ? ['document'] : [];
        return this.expect(step, sent, () => model.import(write, known.guild, settings, place), process);
      }
      case 'undo': {
        const revision = Math.max(1, this.#revision(guild, step.target));
        const input = { guild, revision, dry_run: isDryRun };
        const sent = {
          method: 'POST',
          path: `${path}/history/${revision}/undo${dry}`,
          procedure: 'guilds.undo',
          input,
        };
        return this.expect(step, sent, () => model.undo(write, revision), process);
      }
      case 'restore': {
        const revision = Math.max(0, this.#revision(guild, step.target));
        const input = { guild, revision, dry_run: isDryRun };
        const sent = { method: 'POST', path: `${path}/restore${dry}`, body: { revision }, input };
        return this.expect(
          step,
          { ...sent, procedure: 'guilds.restore' },
          () => model.restore(write, revision),
          process,
        );
      }
    }
  }

  async #forget(by: CallerName): Promise<void> {
    const personId = PEOPLE[by];
    const expected = () => {
      if (personId === undefined) return problem(403, 'person-only');
      return this.model.forget(personId) ? { status: 202, body: {} } : problem(429, 'rate-limited');
    };
    await this.expect({ type: 'forget', by }, { method: 'DELETE', path: '/users/@me/history' }, expected);
    if (personId === undefined) return;
    const { url } = this.main.api;
    const isFinished = async () => /^erasures_unfinished 0$/m.test(await (await fetch(`${url}/metrics`)).text());
    await waitUntil(isFinished, { message: 'the erasure of a person', intervalMs: 5 });
    // A part of a history that was read is cached for a second, unless the guild has changed.
    for (const guild of this.guilds) {
      if (this.model.isLeft(guild)) continue;
      const step = { guild, by: 'application', match: null, reason: null } as const;
      const { beta } = this.model.record(this.call(step)) as Guild;
      await this.run({ type: 'update', ...step, patch: { beta: !beta } });
    }
  }

  async #report({ guild, presence, name, icon }: Extract<Step, { type: 'report' }>): Promise<void> {
    // The order of several guilds erased at once depends on the store.
    if (presence === 'left' && this.model.isAnyLeft) return;
    const profile = presence === 'left' ? {} : { name, icon };
    this.model.report(guild, presence, profile, IDS.application);
    const body = presence === 'left' ? { type: 'left', guild } : { type: 'present', guild: { id: guild, ...profile } };
    const { api, tokens } = this.main;
    const { status } = await api.send('/trpc/presence.report', { method: 'POST', token: tokens.application, body });
    expect(status).toBe(200);
    this.count(`report ${presence}`, status);
  }

  /** Restarts the service some days later. Retention runs at the start. */
  async #retain(days: number): Promise<void> {
    const model = this.model;
    this.#advance(days * 24 * HOUR_MS);
    this.close();
    const confirmed = new Date(model.nowMs + HOUR_MS).toISOString();
    await this.main.api.restart({ RETENTION_CONFIRMED_UNTIL: confirmed });
    const { oldest } = model;
    model.retain();
    await waitUntil(() => this.#isRetained(), { message: 'retention', intervalMs: 20 });
    this.count(model.oldest > oldest ? 'restart and prune' : 'restart', 200);
    await this.open();
  }

  /** Returns true if retention has deleted the same data as in the model. */
  async #isRetained(): Promise<boolean> {
    for (const guild of this.guilds) {
      const at = Math.max(0, this.model.oldest - 2);
      const past = await this.get(`/guilds/${guild}?at=${at}`, {}, 'application');
      if (past.status !== this.model.read(this.call({ guild, by: 'application' }), at).status) return false;
      if (this.model.isLeft(guild)) continue;
      const history = await this.get(`/guilds/${guild}/history?limit=100`, {}, 'application');
      if (history.status !== 200) return false;
      const { entries } = HistoryPage.parse(await history.json());
      if (entries.length !== Math.min(100, this.model.history(guild).length)) return false;
    }
    return true;
  }

  /** Restarts the service with a changed declaration, and then the older process with the previous one. */
  async #declare(edits: readonly DeclarationEdit[]): Promise<void> {
    const declaration = edits.reduce(editedDeclaration, this.#declaration);
    const isRemoved = edits.some(({ type }) => type === 'remove');
    const before = this.main.rules;
    if (!(await this.#restart(new ModelRules(isRemoved ? undefined : declaration)))) return;
    this.#declaration = declaration;
    this.#before = before;
    for (const guild of this.guilds) await this.compareGuild(guild);
    if (this.#env.DATABASE_URL !== undefined) await this.#replaceOld(before);
  }

  /** @returns true if it starts; otherwise it is started as before */
  async #restart(rules: ModelRules): Promise<boolean> {
    this.close();
    const refused = this.model.start(rules);
    const started = this.main.api.restart(this.#file(rules));
    if (refused.length > 0) {
      const error = await started.then(() => undefined, String);
      for (const field of refused) expect(error).toContain(field);
      this.count('refused start', 0);
      // The older process may have recorded its kinds since: without a declaration, every start succeeds.
      if (this.model.start(this.main.rules).length > 0) this.main.rules = new ModelRules(undefined);
      await this.main.api.restart(this.#file(this.main.rules));
    } else {
      await started;
      this.main.rules = rules;
    }
    await this.open();
    return refused.length === 0;
  }

  /** Restarts the service with the older declaration for one step. */
  async #writeBetween(step: Write): Promise<void> {
    const now = this.main.rules;
    if (!(await this.#restart(this.#before))) return;
    await this.#write(step, this.main);
    await this.compareGuild(step.guild);
    await this.#restart(now);
  }

  async #replaceOld(rules: ModelRules): Promise<void> {
    if (this.#old === undefined) {
      const api = await startApi(this.#env);
      this.#old = { api, tokens: issueTokens(api), rules };
    }
    this.#advance(0);
    const started = this.#old.api.restart(this.#file(rules)).then(
      () => true,
      () => false,
    );
    const isRefused = this.model.start(rules).length > 0;
    this.#isOldUp = await started;
    expect(this.#isOldUp).toBe(!isRefused);
    this.#old.rules = rules;
  }

  #file({ declaration }: ModelRules): NodeJS.ProcessEnv {
    if (declaration === undefined) return {};
    this.#files += 1;
    const file = this.#folder.file(`${this.#files}.json`);
    writeFileSync(file, JSON.stringify(declaration));
    return { SETTINGS_FILE: file };
  }

  #revision(guild: string, target: Target): number {
    const { revision } = this.model;
    if ('back' in target) return revision - target.back;
    const entries = this.model.history(guild);
    return entries[target.nth % Math.max(1, entries.length)]?.revision ?? revision;
  }

  #match({ guild, match }: WriteStep): number | undefined {
    return match === null ? undefined : Math.max(0, this.model.guild(guild).revision - match);
  }

  #advance(ms: number): void {
    this.model.nowMs += ms;
    this.main.api.clock.now = this.model.nowMs;
    if (this.#old) this.#old.api.clock.now = this.model.nowMs;
  }
}

function authorOf({ by, reason }: WriteStep, isOverTrpc: boolean): Author {
  const [id, origin] = [PEOPLE[by], isOverTrpc ? 'trpc' : 'rest'] as const;
  if (id === undefined) return { actor: { kind: 'application', id: IDS.application }, origin, reason };
  return { actor: { kind: 'user', id }, origin: by === 'onBehalf' ? 'bot' : origin, reason };
}

const problem = (status: number, slug: string): ModelResponse => ({ status, slug });
