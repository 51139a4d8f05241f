import { writeFileSync } from 'node:fs';
import type { Declaration } from '@guild-settings/contract/settings';
import { temporaryFolder } from '../index.ts';
import { expect } from 'vitest';
import { startApi, type TestApi } from '../api.ts';
import { DeclaredComparison } from './declared-comparison.ts';
import { type Body, edited, editedDeclaration, merged } from './declared-edits.ts';
import { DeclaredModel, type ModelWrite } from './declared-model.ts';
import { ModelRules } from './declared-rules.ts';
import { type DeclarationEdit, DECLARED_GUILDS, type DeclaredStep, POOL, type WriteStep } from './declared-steps.ts';
import { issueTokens, type ModelTokens } from './model-callers.ts';
import { ICON } from '../people.ts';

/** A process of the service. */
interface Process {
  readonly api: TestApi;
  readonly tokens: ModelTokens;
  rules: ModelRules;
}

type Settings = NonNullable<Declaration['settings']>;

const FIRST: Settings = Object.fromEntries(
  Object.entries(POOL).flatMap(([name, [first]]) => (first ? [[name, first]] : [])),
);

/** Exports that imports choose from. */
const KEPT_EXPORTS = 6;

/** Of the steps that change nothing, every so many is followed by a comparison of all that is read. */
const FULL_EVERY = 5;

/** A service whose settings are declared, one with an older declaration on the same database, and their model. */
export class DeclaredWorld implements AsyncDisposable {
  readonly #main: Process;
  readonly #model = new DeclaredModel();
  readonly #compared: DeclaredComparison;
  readonly #folder = temporaryFolder();
  readonly #env: NodeJS.ProcessEnv;
  /** The process with the older declaration, which runs beside the other one on PostgreSQL. */
  #old: Process | undefined;
  #isOldUp = false;
  #before = new ModelRules(undefined);
  #declaration: Declaration = { settings: FIRST };
  #exports: { readonly guild: string; readonly settings: Body }[] = [];
  #files = 0;
  #steps = 0;

  constructor(api: TestApi, env: NodeJS.ProcessEnv) {
    this.#env = env;
    this.#main = { api, tokens: issueTokens(api), rules: new ModelRules(undefined) };
    this.#compared = new DeclaredComparison(this.#model, this.#main);
  }

  /** Starts a service with an empty database. */
  static async start(database: NodeJS.ProcessEnv): Promise<DeclaredWorld> {
    const env = { LOG_LEVEL: 'error', AUTH_CACHE_TTL: '86400', ...database };
    const world = new DeclaredWorld(await startApi(env), env);
    await world.#compared.open();
    for (const guild of DECLARED_GUILDS) await world.#rename({ guild, name: 'One', icon: ICON });
    await world.#declare([]);
    return world;
  }

  /** Outcomes by the type of the step and the status. */
  get counts(): Readonly<Record<string, number>> {
    return this.#compared.counts;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#compared.close();
    await this.#old?.api[Symbol.asyncDispose]();
    await this.#main.api[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }

  /** Takes a step with the service and the model, and compares them. */
  async run(step: DeclaredStep): Promise<void> {
    const { revision } = this.#model;
    this.#steps += 1;
    this.#main.api.clock.now += 1_000;
    if (this.#old) this.#old.api.clock.now = this.#main.api.clock.now;
    if (step.type === 'declare') return this.#declare(step.edits);
    if (step.type === 'rename') await this.#rename(step);
    else if (!step.isToOld) await this.#write(step, this.#main);
    else if (this.#isOldUp && this.#old) await this.#write(step, this.#old);
    else if (this.#env.DATABASE_URL === undefined) await this.#writeBetween(step);
    // A write that has changed nothing is mostly a refusal.
    if (this.#model.revision === revision && this.#steps % FULL_EVERY !== 0) return this.#compared.record(step.guild);
    const { settings } = await this.#compared.guild(step.guild);
    this.#exports = [{ guild: step.guild, settings }, ...this.#exports].slice(0, KEPT_EXPORTS);
  }

  async #write(step: Extract<DeclaredStep, WriteStep>, process: Process): Promise<void> {
    const { guild, by, match } = step;
    const { rules } = process;
    const isMatched = match !== 'wrong';
    const write: ModelWrite = { guild, rules, isApplication: by === 'application', isMatched };
    const model = this.#model;
    const path = `/guilds/${guild}`;
    switch (step.type) {
      case 'patch': {
        const body = merged(step.isWhole ? model.record(guild, rules) : {}, edited(step, rules));
        const sent = { method: 'PATCH', path, body, procedure: 'guilds.update', input: { ...body, guild } };
        return this.#compared.write(step, process, sent, () => model.patch(write, body));
      }
      case 'switch': {
        const { feature, isEnabled } = step;
        const procedure = isEnabled ? 'guilds.enableFeature' : 'guilds.disableFeature';
        const method = isEnabled ? 'PUT' : 'DELETE';
        const sent = { method, path: `${path}/features/${feature}`, procedure, input: { guild, feature } };
        return this.#compared.write(step, process, sent, () => model.switchFeature(write, feature, isEnabled));
      }
      case 'undo': {
        const { isDryRun } = step;
        const changes = model.changes(guild);
        const revision = changes[step.nth % (changes.length + 1)]?.revision ?? model.revision + 1;
        const input = { guild, revision, dry_run: isDryRun };
        const sent = { path: `${path}/history/${revision}/undo?dry_run=${isDryRun}`, procedure: 'guilds.undo', input };
        return this.#compared.write(step, process, { method: 'POST', ...sent }, () =>
          model.undo({ ...write, isDryRun }, revision),
        );
      }
      case 'restore': {
        const { isDryRun } = step;
        const revision = [...model.changes(guild).map((change) => change.revision), 0, model.revision + 1][
          step.nth % (model.changes(guild).length + 2)
        ] as number;
        const input = { guild, revision, dry_run: isDryRun };
        const sent = {
          path: `${path}/restore?dry_run=${isDryRun}`,
          body: { revision },
          procedure: 'guilds.restore',
          input,
        };
        return this.#compared.write(step, process, { method: 'POST', ...sent }, () =>
          model.restore({ ...write, isDryRun }, revision),
        );
      }
      case 'import': {
        const { isDryRun, isOverTrpc } = step;
        const known = this.#exports[step.nth % Math.max(1, this.#exports.length)] ?? { guild, settings: {} };
        const settings = merged(known.settings, edited(step, rules));
        const document = { version: 1, guild: known.guild, settings };
        const input = { guild, dry_run: isDryRun, document };
        const sent = { path: `${path}/import?dry_run=${isDryRun}`, body: document, procedure: 'guilds.import', input };
        const place = isOverTrpc ? ['document'] : [];
        return this.#compared.write(step, process, { method: 'POST', ...sent }, () =>
          model.import({ ...write, isDryRun }, known.guild, settings, place),
        );
      }
    }
  }

  /** Restarts the service with the older declaration for one step. */
  async #writeBetween(step: Extract<DeclaredStep, WriteStep>): Promise<void> {
    const now = this.#main.rules;
    if (!(await this.#restart(this.#before))) return;
    await this.#write(step, this.#main);
    await this.#compared.guild(step.guild);
    await this.#restart(now);
  }

  async #rename({ guild, name, icon }: Omit<Extract<DeclaredStep, { type: 'rename' }>, 'type'>): Promise<void> {
    const { api, tokens } = this.#main;
    const body = { type: 'present', guild: { id: guild, name, icon } };
    const { status } = await api.send('/trpc/presence.report', { method: 'POST', token: tokens.application, body });
    expect(status).toBe(200);
    this.#model.rename(guild, { name, icon });
  }

  /** Restarts the service with a changed declaration, and then the process with the older one with that of before. */
  async #declare(edits: readonly DeclarationEdit[]): Promise<void> {
    const declaration = edits.reduce(editedDeclaration, this.#declaration);
    const isRemoved = edits.some(({ type }) => type === 'remove');
    const before = this.#main.rules;
    if (!(await this.#restart(new ModelRules(isRemoved ? undefined : declaration)))) return;
    this.#declaration = declaration;
    this.#before = before;
    for (const guild of DECLARED_GUILDS) await this.#compared.guild(guild);
    if (this.#env.DATABASE_URL !== undefined) await this.#replaceOld(before);
  }

  /** @returns whether it starts; otherwise it is started as it was */
  async #restart(rules: ModelRules): Promise<boolean> {
    this.#compared.close();
    const refused = this.#model.start(rules);
    const started = this.#main.api.restart(this.#file(rules));
    if (refused.length > 0) {
      const error = await started.then(() => undefined, String);
      for (const field of refused) expect(error).toContain(field);
      this.#compared.count('refused start', 0);
      await this.#main.api.restart(this.#file(this.#main.rules));
    } else {
      await started;
      this.#main.rules = rules;
    }
    await this.#compared.open();
    return refused.length === 0;
  }

  async #replaceOld(rules: ModelRules): Promise<void> {
    if (this.#old === undefined) {
      const api = await startApi(this.#env);
      this.#old = { api, tokens: issueTokens(api), rules };
    }
    this.#old.api.clock.now = this.#main.api.clock.now;
    const started = this.#old.api.restart(this.#file(rules)).then(
      () => true,
      () => false,
    );
    const isRefused = this.#model.start(rules).length > 0;
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
}
