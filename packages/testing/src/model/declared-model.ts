import { DeclaredLog } from './declared-log.ts';
import { isSame, type ModelRules, type ModelSetting, type ModelValues } from './declared-rules.ts';

/** A response: what is compared of it. */
export interface ModelResponse {
  readonly status: number;
  readonly slug?: string;
  readonly pointers?: readonly string[];
  readonly body?: object;
}

/** A write, and the process that it is sent to. */
export interface ModelWrite {
  readonly guild: string;
  readonly rules: ModelRules;
  /** True: the application writes for itself. */
  readonly isApplication: boolean;
  /** True: the revision in If-Match is that of the guild. */
  readonly isMatched: boolean;
  readonly isDryRun?: boolean;
}

interface Change {
  /** Values by field; null: back to the default. */
  readonly patch: ModelValues;
  /** The way to the settings in the request. */
  readonly at?: readonly string[];
  readonly undoes?: number;
  /** True: it is computed from the log. Then it sets the values that were set, also those that equal the default. */
  readonly isComputed?: boolean;
}

/** The responses of the service about guilds whose settings a team declares, as documented. Tests compare the service with it. */
export class DeclaredModel extends DeclaredLog {
  /** Changes settings by a body that names them. */
  patch(write: ModelWrite, body: Readonly<Record<string, unknown>>): ModelResponse {
    const issues = this.#invalidIn(write, body, []);
    if (issues.length > 0) return invalid(issues);
    return this.#change(write, { patch: fieldsIn(body, write.rules) }, () => this.record(write.guild, write.rules));
  }

  switchFeature(write: ModelWrite, name: string, isEnabled: boolean): ModelResponse {
    const { set } = this.guild(write.guild);
    const { enabledFeatures } = write.rules.record(set) as { enabledFeatures: string[] };
    const others = enabledFeatures.filter((other) => other !== name);
    const isSwitched = enabledFeatures.includes(name) !== isEnabled;
    const patch = isSwitched ? { enabledFeatures: isEnabled ? [...others, name] : others } : {};
    return this.#change(write, { patch }, () => this.record(write.guild, write.rules));
  }

  /** Imports a document of a guild. */
  import(
    write: ModelWrite,
    from: string,
    settings: Readonly<Record<string, unknown>>,
    place: readonly string[],
  ): ModelResponse {
    const { rules, guild } = write;
    const at = [...place, 'settings'];
    const issues = this.#invalidIn(write, settings, at, { isLoose: true });
    if (issues.length > 0) return invalid(issues);
    const entries = Object.entries(fieldsIn(settings, rules));
    const isForeign = ([field, value]: readonly [string, unknown]) =>
      from !== guild &&
      ['channel', 'role'].includes(rules.setting(field)?.kind ?? '') &&
      !['""', '[]', 'null'].includes(JSON.stringify(value));
    const unknown = this.#unknownIn(rules, settings).map((path) => [...path]);
    const { set } = this.guild(guild);
    const isReserved = ([field]: readonly [string, unknown]) =>
      !write.isApplication && rules.setting(field)?.isReserved === true;
    const isAnother = ([field, value]: readonly [string, unknown]) => {
      const setting = rules.setting(field) as ModelSetting;
      return value === null ? Object.hasOwn(set, field) : !isSame(value, rules.valueOf(set, setting));
    };
    const own = entries.filter((entry) => !isForeign(entry));
    const skipped = [
      ...own
        .filter((entry) => isReserved(entry) && isAnother(entry))
        .map(([field]) => skippedAt(field.split('.'), 'reserved')),
      ...entries.filter(isForeign).map(([field]) => skippedAt(field.split('.'), 'other-guild')),
      ...unknown.map((path) => skippedAt(path, 'unknown-field')),
    ];
    const patch = Object.fromEntries(own.filter((entry) => !isReserved(entry)));
    return this.#change(write, { patch, at: ['settings'] }, (changes) => ({
      revision: this.guild(guild).revision,
      changes,
      skipped,
      ...(!write.isDryRun && { guild: this.record(guild, rules) }),
    }));
  }

  /** Undoes a change: puts back what was set, unless another change has set it since. */
  undo(write: ModelWrite, revision: number): ModelResponse {
    const { guild, rules, isMatched } = write;
    const target = this.changes(guild).find((change) => change.revision === revision);
    if (target === undefined) return { status: 404, slug: 'revision-unknown' };
    if (target.isPlatform) return { status: 409, slug: 'not-undoable' };
    const { set } = this.guild(guild);
    const patch: Record<string, unknown> = {};
    let isConflict = false;
    for (const [field, { from }] of Object.entries(target.changes)) {
      const setting = rules.setting(field);
      if (setting === undefined) continue;
      const isSetNow = Object.hasOwn(set, field);
      const wasSet = !target.unset.includes(field);
      const isValue = isSame(rules.valueOf(set, setting), from);
      if (isSetNow === wasSet ? isValue || !wasSet : isValue && rules.declaration === undefined) continue;
      if (this.sourceOf(guild, field, revision) === revision) patch[field] = wasSet ? from : null;
      else if (!isValue) isConflict = true;
    }
    if (isConflict && isMatched) return { status: 409, slug: 'later-change' };
    return this.#change(write, { patch, undoes: revision, isComputed: true }, (changes) => this.#made(write, changes));
  }

  /** Puts all settings back to how they were at a revision. */
  restore(write: ModelWrite, revision: number): ModelResponse {
    const { guild, rules } = write;
    if (revision > this.revision) return { status: 404, slug: 'revision-unknown' };
    const past: Record<string, unknown> = { ...this.guild(guild).set };
    for (const { changes, unset } of this.since(guild, revision).toReversed()) {
      for (const [field, { from }] of Object.entries(changes)) past[field] = unset.includes(field) ? undefined : from;
    }
    const patch: Record<string, unknown> = {};
    const skipped: object[] = [];
    for (const { field, path, isCustom, isReserved, fits, flaws } of rules.settings) {
      const value = past[field];
      if (isReserved && !write.isApplication) {
        if (value !== undefined) skipped.push(skippedAt(path, 'reserved'));
      } else if (value !== undefined && (!fits(value) || (isCustom && flaws(value).length > 0))) {
        skipped.push(skippedAt(path, 'invalid'));
      } else patch[field] = value ?? null;
    }
    for (const [field, value] of Object.entries(past)) {
      const isUnknown = value !== undefined && rules.setting(field) === undefined && !['name', 'icon'].includes(field);
      if (isUnknown) skipped.push(skippedAt(field.split('.'), 'unknown-field'));
    }
    return this.#change(write, { patch, isComputed: true }, (changes) => this.#made(write, changes, skipped));
  }

  #made({ guild, rules, isDryRun }: ModelWrite, changes: object, skipped: object[] = []): object {
    if (!isDryRun) return this.record(guild, rules);
    return { revision: this.guild(guild).revision, changes, ...(skipped.length > 0 && { skipped }) };
  }

  #invalidIn(
    { guild, rules }: ModelWrite,
    body: Readonly<Record<string, unknown>>,
    at: readonly string[],
    { isLoose = false } = {},
  ): string[] {
    const { set } = this.guild(guild);
    const flawsOf = (setting: ModelSetting, value: unknown): readonly (readonly string[])[] => {
      if (value === null && rules.declaration !== undefined) return [];
      if (setting.isCustom && isSame(value, rules.valueOf(set, setting))) return [];
      if (!setting.fits(value)) return badItems(setting, value);
      const flaws = setting.flaws(value);
      // Of a list that is too long, the items are not looked at.
      return flaws.some((path) => path.length === 0) ? [[]] : flaws;
    };
    const values = Object.entries(fieldsIn(body, rules)).flatMap(([field, value]) => {
      const setting = rules.setting(field) as ModelSetting;
      return flawsOf(setting, value).map((path) => pointer([...at, ...setting.path, ...path]));
    });
    return [...values, ...(isLoose ? [] : this.#unknownIn(rules, body).map((path) => pointer([...at, ...path])))];
  }

  #unknownIn({ hasCustom, ...rules }: ModelRules, { custom }: { readonly custom?: unknown }): readonly string[][] {
    if (custom === undefined) return [];
    if (!hasCustom) return [['custom']];
    const names = Object.keys(custom as object);
    return names
      .filter((name) => !rules.settings.some(({ field }) => field === `custom.${name}`))
      .map((name) => ['custom', name]);
  }

  #change(
    { guild, rules, isApplication, isMatched, isDryRun = false }: ModelWrite,
    { patch, at = [], undoes, isComputed = false }: Change,
    bodyOf: (changes: object) => object,
  ): ModelResponse {
    if (!isMatched) return { status: 412, slug: 'revision-mismatch', body: this.record(guild, rules) };
    const { set } = this.guild(guild);
    const isDeclared = rules.declaration !== undefined;
    const next: Record<string, unknown> = { ...set };
    const [changes, unset]: [Record<string, { from: unknown; to: unknown }>, string[]] = [{}, []];
    for (const [field, wanted] of Object.entries(patch)) {
      const setting = rules.setting(field);
      if (setting === undefined) continue;
      const from = rules.valueOf(set, setting);
      const to = wanted === null ? setting.default : Array.isArray(wanted) ? [...new Set(wanted)] : wanted;
      const isSet = Object.hasOwn(set, field);
      const isSetOtherwise = isDeclared && isSet === (wanted === null) && (isComputed || wanted === null);
      if (isSame(from, to) && !isSetOtherwise) continue;
      changes[field] = { from, to };
      if (!isSet) unset.push(field);
      if (wanted === null) delete next[field];
      else next[field] = to;
    }
    const changed = Object.keys(changes).map((field) => rules.setting(field) as ModelSetting);
    const reserved = isApplication ? [] : changed.filter(({ isReserved }) => isReserved);
    if (reserved.length > 0)
      return {
        status: 403,
        slug: 'reserved-setting',
        pointers: reserved.map(({ path }) => pointer([...at, ...path])).sort(),
      };
    const issues = changed.flatMap(({ isCustom, path, field, fits, flaws }) => {
      const value = changes[field]?.to;
      const found = !isCustom ? [] : fits(value) ? flaws(value) : [[]];
      return found.map((within) => pointer([...at, ...path, ...within]));
    });
    if (issues.length > 0) return invalid(issues);
    if (!isDryRun && changed.length > 0)
      this.commit(guild, { changes, unset, isPlatform: false, undoes }, { ...this.guild(guild), set: next });
    return { status: 200, body: bodyOf(changes) };
  }
}

/** Returns the values in a body of the settings that there are, by field. */
function fieldsIn({ custom, ...body }: Readonly<Record<string, unknown>>, rules: ModelRules): ModelValues {
  const all = Object.entries((custom ?? {}) as object).map(([name, value]) => [`custom.${name}`, value] as const);
  return Object.fromEntries([...Object.entries(body), ...all].filter(([field]) => rules.setting(field) !== undefined));
}

function badItems({ isMany, fits }: ModelSetting, value: unknown): readonly (readonly string[])[] {
  return isMany && Array.isArray(value) ? value.flatMap((item, at) => (fits([item]) ? [] : [[`${at}`]])) : [[]];
}

function pointer(path: readonly string[]): string {
  return path.map((name) => `/${name}`).join('');
}

function skippedAt(path: readonly string[], reason: string) {
  return { pointer: pointer(['settings', ...path]), reason };
}

function invalid(pointers: readonly string[]): ModelResponse {
  return { status: 400, slug: 'invalid-request', pointers: [...pointers].sort() };
}
