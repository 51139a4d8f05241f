import type { Conflict, FieldChange, GuildProfile, HistoryEntry, HistoryInput } from '@guild-settings/contract';
import { type Author, ModelLog, type Stored } from './log.ts';
import { isSame, type ModelRules, type ModelSetting, type ModelValues } from './rules.ts';
import type { Body } from './steps.ts';

/** The compared parts of a response. */
export interface ModelResponse {
  readonly status: number;
  readonly etag?: number;
  /** The problem, by the end of its type. */
  readonly slug?: string;
  readonly pointers?: readonly string[];
  readonly conflicts?: readonly Conflict[];
  /** The body; for a problem, its current record. */
  readonly body?: object;
}

/** A call on a guild, with the caller's data from Discord, and the settings of the process that receives it. */
export interface ModelCall {
  readonly guild: string;
  readonly rules: ModelRules;
  readonly profile?: GuildProfile | undefined;
}

export interface ModelWrite extends ModelCall {
  readonly author: Author;
  /** The revision in If-Match; undefined: no condition. */
  readonly match: number | undefined;
  readonly isDryRun: boolean;
}

interface Change {
  /** Values by field; null: reset to the default. */
  readonly patch: ModelValues;
  /** The path to the settings in the request. */
  readonly at?: readonly string[];
  readonly of?: Pick<HistoryEntry, 'undoes' | 'restores'>;
  /** True: it is computed from the log. Then it sets the values that were set, including those equal to the default. */
  readonly isComputed?: boolean;
}

/** The service as documented, without reading in parts. Tests compare the service with it. */
export class Model extends ModelLog {
  update(write: ModelWrite, body: Body): ModelResponse {
    const issues = this.#invalidIn(write, body, []);
    if (issues.length > 0) return invalid(issues);
    return this.#change(write, { patch: fieldsIn(body, write.rules) }, () => this.record(write));
  }

  switchFeature(write: ModelWrite, name: string, isEnabled: boolean): ModelResponse {
    const { enabledFeatures } = write.rules.record(this.guild(write.guild).set) as { enabledFeatures: string[] };
    const others = enabledFeatures.filter((other) => other !== name);
    const isSwitched = enabledFeatures.includes(name) !== isEnabled;
    const next = isSwitched ? (isEnabled ? [...others, name] : others) : enabledFeatures;
    return this.#change(write, { patch: { enabledFeatures: next } }, () => this.record(write));
  }

  /** Imports the exported settings of a guild. `place`: the path to the document in the request. */
  import(write: ModelWrite, from: string, settings: Body, place: readonly string[]): ModelResponse {
    const { rules, guild } = write;
    const issues = this.#invalidIn(write, settings, [...place, 'settings'], { isLoose: true });
    if (issues.length > 0) return invalid(issues);
    const { set } = this.guild(guild);
    const entries = Object.entries(fieldsIn(settings, rules));
    const isForeign = ([field, value]: readonly [string, unknown]) =>
      from !== guild &&
      ['channel', 'role', 'user'].includes(rules.setting(field)?.kind ?? '') &&
      !['""', '[]', 'null'].includes(JSON.stringify(value));
    const isReserved = ([field]: readonly [string, unknown]) =>
      !isApplication(write) && rules.setting(field)?.isReserved === true;
    const isAnother = ([field, value]: readonly [string, unknown]) => {
      const setting = rules.setting(field) as ModelSetting;
      return value === null ? Object.hasOwn(set, setting.field) : !isSame(distinct(value), rules.valueOf(set, setting));
    };
    const own = entries.filter((entry) => !isForeign(entry));
    const reserved = own.filter((entry) => isReserved(entry) && isAnother(entry));
    const skipped = [
      ...reserved.map(([field]) => skippedAt(field.split('.'), 'reserved')),
      ...entries.filter(isForeign).map(([field]) => skippedAt(field.split('.'), 'other-guild')),
      ...this.#unknownIn(rules, settings).map((path) => skippedAt(path, 'unknown-field')),
    ];
    const patch = Object.fromEntries(own.filter((entry) => !isReserved(entry)));
    const imported = { ...write, author: { ...write.author, origin: 'import' as const } };
    return this.#change(imported, { patch, at: ['settings'] }, (changes) => ({
      revision: this.guild(guild).revision,
      changes,
      skipped,
      ...(!write.isDryRun && { guild: this.record(write) }),
    }));
  }

  /** Undoes a change: restores the values that were set, unless another change has set them since. */
  undo(write: ModelWrite, revision: number): ModelResponse {
    const { guild, rules } = write;
    const target = this.entry(guild, revision);
    const absent = this.#absent(write);
    if (absent) return absent;
    if (target === undefined) return { status: 404, slug: 'revision-unknown' };
    if (target.kind === 'platform') return { status: 409, slug: 'not-undoable' };
    const mismatch = this.#mismatch(write, Object.keys(target.changes));
    if (mismatch) return mismatch;
    const { set } = this.guild(guild);
    const patch: Record<string, unknown> = {};
    const conflicts: Conflict[] = [];
    for (const [field, { from: stored, to }] of Object.entries(target.changes)) {
      const setting = rules.setting(field);
      if (setting === undefined) continue;
      const from = setting.read(stored) ?? stored;
      const wasSet = !this.unsetBefore(guild, revision).includes(field);
      const now = rules.valueOf(set, setting);
      const isValue = isSame(now, from);
      const isAsBefore = Object.hasOwn(set, field) === wasSet;
      if (isAsBefore ? isValue || !wasSet : isValue && rules.declaration === undefined) continue;
      if (this.sourceOf(guild, field, revision) === revision) patch[field] = wasSet ? from : null;
      else if (!isValue)
        conflicts.push(conflict(field, { from: to, to: now }, this.touching(guild, field).at(-1) ?? target));
    }
    if (conflicts.length > 0) return { status: 409, slug: 'later-change', conflicts };
    const undoing = { ...write, author: { ...write.author, origin: 'undo' as const } };
    return this.#change(undoing, { patch, of: { undoes: revision }, isComputed: true }, (changes) =>
      this.#made(write, changes),
    );
  }

  restore(write: ModelWrite, revision: number): ModelResponse {
    const { guild, rules } = write;
    const absent = this.#absent(write);
    if (absent) return absent;
    if (!this.isKnown(guild, revision)) return { status: 404, slug: 'revision-unknown' };
    const past = this.past(guild, revision, true);
    const patch: Record<string, unknown> = {};
    const skipped: object[] = [];
    for (const { field, path, isCustom, isReserved, fits, read, flaws } of rules.settings) {
      const value = read(past[field]) ?? past[field];
      if (isReserved && !isApplication(write)) {
        if (value !== undefined) skipped.push(skippedAt(path, 'reserved'));
      } else if (value !== undefined && (!fits(value) || (isCustom && flaws(value).length > 0))) {
        skipped.push(skippedAt(path, 'invalid'));
      } else patch[field] = value ?? null;
    }
    for (const [field, value] of Object.entries(past)) {
      const isUnknown = value !== undefined && rules.setting(field) === undefined && !['name', 'icon'].includes(field);
      if (isUnknown) skipped.push(skippedAt(field.split('.'), 'unknown-field'));
    }
    const restoring = { ...write, author: { ...write.author, origin: 'restore' as const } };
    return this.#change(restoring, { patch, of: { restores: revision }, isComputed: true }, (changes) =>
      this.#made(write, changes, skipped),
    );
  }

  /** Erases a guild with its history, as the application. */
  erase(call: ModelCall, match: number): ModelResponse {
    const etag = this.guild(call.guild).revision;
    if (match !== etag) return { status: 412, etag, slug: 'revision-mismatch', conflicts: [], body: this.record(call) };
    this.eraseOnRequest(call.guild);
    return { status: 204, body: {} };
  }

  read(call: ModelCall, at?: number): ModelResponse {
    const absent = this.#absent(call);
    if (absent) return absent;
    const { guild } = call;
    if (at === undefined) return { status: 200, etag: this.guild(guild).revision, body: this.record(call) };
    if (!this.isKnown(guild, at)) return { status: 404, slug: 'revision-unknown' };
    const { name, icon, ...set } = this.past(guild, at, false);
    const then = { ...this.guild(guild), name: name as string | null, icon: icon as string | null, set };
    return { status: 200, etag: this.revisionAt(guild, at), body: this.record(call, then) };
  }

  /** Returns the record of a guild: the current one, unless other values are given. */
  record({ guild: id, rules, profile }: ModelCall, { name, icon, set }: Stored = this.guild(id)): object {
    const known = name === null ? { name: profile?.name ?? '', icon: profile?.icon ?? null } : { name, icon };
    return { id, ...known, ...rules.record(set) };
  }

  /** Returns true if the record at a revision cannot change with the declaration. */
  isFinal(guild: string, at: number, { declaration, settings }: ModelRules): boolean {
    const past = this.past(guild, at, false);
    return declaration === undefined || settings.every(({ field, fits }) => fits(past[field]));
  }

  /** Returns all entries that match a query, newest first. */
  history(guild: string, { before, after, actor, field, kind }: Omit<HistoryInput, 'guild' | 'limit'> = {}) {
    return this.entries(guild)
      .filter(
        (entry) =>
          (before === undefined || entry.revision < before) &&
          (after === undefined || entry.revision > after) &&
          (actor === undefined || entry.actor.id === actor) &&
          (field === undefined || Object.hasOwn(entry.changes, field)) &&
          (kind === undefined || entry.kind === kind),
      )
      .toReversed();
  }

  change(call: ModelCall, revision: number): ModelResponse {
    const entry = this.entry(call.guild, revision);
    return this.#absent(call) ?? (entry ? { status: 200, body: entry } : { status: 404, slug: 'revision-unknown' });
  }

  #absent({ guild }: ModelCall): ModelResponse | undefined {
    return this.isLeft(guild) ? { status: 404, slug: 'bot-absent' } : undefined;
  }

  #mismatch(write: ModelWrite, fields: readonly string[]): ModelResponse | undefined {
    const { guild, match } = write;
    const { revision } = this.guild(guild);
    if (match === undefined || match === revision) return undefined;
    const conflicts = fields.flatMap((field): Conflict[] => {
      const since = this.touching(guild, field).filter((entry) => entry.revision > match);
      const [oldest, newest] = [since[0], since.at(-1)];
      if (oldest === undefined || newest === undefined) return [];
      return [conflict(field, { from: oldest.changes[field]?.from, to: newest.changes[field]?.to }, newest)];
    });
    return { status: 412, etag: revision, slug: 'revision-mismatch', conflicts, body: this.record(write) };
  }

  #made(write: ModelWrite, changes: object, skipped: object[] = []): object {
    if (!write.isDryRun) return this.record(write);
    return { revision: this.guild(write.guild).revision, changes, ...(skipped.length > 0 && { skipped }) };
  }

  #invalidIn({ guild, rules }: ModelWrite, body: Body, at: readonly string[], { isLoose = false } = {}): string[] {
    const { set } = this.guild(guild);
    const fields = fieldsIn(body, rules);
    const sentNames = ({ names }: ModelSetting) => names.filter((name) => Object.hasOwn(fields, name));
    const flawsOf = (setting: ModelSetting, value: unknown): readonly (readonly string[])[] => {
      if (value === null && rules.declaration !== undefined) return [];
      if (setting.isCustom && sentNames(setting).length === 1 && isSame(distinct(value), rules.valueOf(set, setting)))
        return [];
      if (!setting.fits(value)) return badItems(setting, value);
      const flaws = setting.flaws(value);
      // The items of a list that is too long are not checked.
      return flaws.some((path) => path.length === 0) ? [[]] : flaws;
    };
    const values = Object.entries(fields).flatMap(([field, value]) => {
      const setting = rules.setting(field) as ModelSetting;
      return flawsOf(setting, value).map((path) => pointer([...at, ...field.split('.'), ...path]));
    });
    // Names are not compared beside an integer that is none: that is refused first, alone.
    const isCompared = Object.entries(fields).every(([field, value]) => {
      const isWhole = ['integer', 'duration'].includes(rules.setting(field)?.kind ?? '');
      return !isWhole || [value].flat().every((one) => typeof one !== 'number' || Number.isInteger(one));
    });
    // The present name takes precedence, then the last one.
    const twice = (isCompared ? rules.settings : []).flatMap((setting) => {
      const [first, ...others] = sentNames(setting);
      return first === setting.names[0] ? others : [first ?? [], ...others].flat().slice(0, -1);
    });
    return [
      ...values,
      ...twice.map((field) => pointer([...at, ...field.split('.')])),
      ...(isLoose ? [] : this.#unknownIn(rules, body).map((path) => pointer([...at, ...path]))),
    ];
  }

  #unknownIn({ hasCustom, ...rules }: ModelRules, { custom }: { readonly custom?: unknown }): readonly string[][] {
    if (custom === undefined) return [];
    if (!hasCustom) return [['custom']];
    const names = Object.keys(custom as object);
    return names
      .filter((name) => rules.settings.every(({ names: known }) => !known.includes(`custom.${name}`)))
      .map((name) => ['custom', name]);
  }

  #change(write: ModelWrite, change: Change, bodyOf: (changes: object) => object): ModelResponse {
    const { guild, rules, isDryRun, author } = write;
    const { patch, at = [], of, isComputed = false } = change;
    const refused = this.#absent(write) ?? this.#mismatch(write, Object.keys(patch));
    if (refused) return refused;
    const { set } = this.guild(guild);
    const isDeclared = rules.declaration !== undefined;
    const next: Record<string, unknown> = { ...set };
    const [changes, unset]: [Record<string, FieldChange>, string[]] = [{}, []];
    for (const [name, wanted] of Object.entries(patch)) {
      const setting = rules.setting(name);
      if (setting === undefined) continue;
      const { field } = setting;
      const from = rules.valueOf(set, setting);
      const to = wanted === null ? setting.default : distinct(wanted);
      const isSet = Object.hasOwn(set, field);
      const isSetOtherwise = isDeclared && isSet === (wanted === null) && (isComputed || wanted === null);
      if (isSame(from, to) && !isSetOtherwise) continue;
      changes[field] = { from, to };
      if (!isSet) unset.push(field);
      if (wanted === null) delete next[field];
      else next[field] = to;
    }
    const changed = Object.keys(changes).map((field) => rules.setting(field) as ModelSetting);
    const placeOf = ({ names, path }: ModelSetting) => {
      const sent = isComputed ? undefined : names.find((name) => Object.hasOwn(patch, name));
      return [...at, ...(sent?.split('.') ?? path)];
    };
    const reserved = isApplication(write) ? [] : changed.filter(({ isReserved }) => isReserved);
    if (reserved.length > 0) {
      const pointers = reserved.map((setting) => pointer(placeOf(setting))).sort();
      return { status: 403, slug: 'reserved-setting', pointers };
    }
    const issues = changed.flatMap((setting) => {
      const { isCustom, field, fits, flaws } = setting;
      const value = changes[field]?.to;
      const found = !isCustom ? [] : fits(value) ? flaws(value) : [[]];
      return found.map((within) => pointer([...placeOf(setting), ...within]));
    });
    if (issues.length > 0) return invalid(issues);
    if (!isDryRun && changed.length > 0)
      this.commit(guild, { set: next }, author, { changes, unset, ...(of && { of }) });
    return { status: 200, etag: this.guild(guild).revision, body: bodyOf(rules.shown(changes)) };
  }
}

const isApplication = ({ author }: ModelWrite) => author.actor.kind === 'application';

function conflict(field: string, values: FieldChange, { revision, at, actor }: HistoryEntry): Conflict {
  return { field, ...values, revision, at, actor };
}

/** Returns a list with each item once; other values as they are. */
function distinct(value: unknown): unknown {
  return Array.isArray(value) ? [...new Set(value)] : value;
}

/** Returns the values of known settings in a body, by field. */
function fieldsIn({ custom, ...body }: Body, rules: ModelRules): ModelValues {
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
  return { status: 400, slug: 'invalid-request', pointers: [...new Set(pointers)].sort() };
}
