import type { FieldChanges, GuildProfile, HistoryEntry } from '@guild-settings/contract';
import type { ModelRules, ModelSetting, ModelValues } from './rules.ts';

const DAY_MS = 86_400_000;

/** The stored values of a guild. `revision`: 0 if nothing is stored. */
export interface Stored {
  readonly revision: number;
  readonly name: string | null;
  readonly icon: string | null;
  readonly presence: 'present' | 'left' | 'unknown';
  /** The values that are set. Others follow their defaults. */
  readonly set: ModelValues;
}

const NEW: Stored = { revision: 0, name: null, icon: null, presence: 'unknown', set: {} };

export type Author = Pick<HistoryEntry, 'actor' | 'origin' | 'reason'>;

/** A change of a guild. For a value that was not or is no longer set, the default is logged. */
interface Change {
  readonly changes: FieldChanges;
  readonly unset?: readonly string[];
  readonly of?: Pick<HistoryEntry, 'undoes' | 'restores'>;
}

interface Line {
  readonly guild: string;
  readonly at: number;
  readonly revision: number;
  /** Null: the line of an erasure. */
  readonly entry: HistoryEntry | null;
  readonly unset: readonly string[];
}

/**
 * A model of stored guilds in memory: their values, and the log of changes, with the effects of retention and erasure.
 */
export class ModelLog {
  /** Milliseconds since 1970. */
  nowMs: number;
  revision = 0;
  /** The log contains all revisions from this one on. */
  oldest = 1;
  readonly #guilds = new Map<string, Stored>();
  #lines: Line[] = [];
  /** All changes of guilds since their erasures. */
  #changes: Line[] = [];
  readonly #leftAt = new Map<string, number>();
  /** Guilds that the bot was in when they were erased. With its next change, a guild has the bot again. */
  readonly #erasedPresent = new Set<string>();
  readonly #erasures = new Map<string, { readonly revision: number; readonly isRequested: boolean }>();
  readonly #forgottenAt = new Map<string, number>();
  readonly #kinds: Record<string, Pick<ModelSetting, 'kind' | 'isMany'>> = {};

  constructor(nowMs: number) {
    this.nowMs = nowMs;
  }

  /** Starts a process. @returns the fields that prevent the start, because guilds have values of another kind */
  start({ settings, declaration }: ModelRules): readonly string[] {
    if (declaration === undefined) return [];
    const custom = settings.filter(({ isCustom }) => isCustom);
    const isSet = (field: string) => [...this.#guilds.values()].some(({ set }) => Object.hasOwn(set, field));
    const isKept = ({ field, kind, isMany }: ModelSetting) => {
      const { kind: before, isMany: wasMany } = this.#kinds[field] ?? { kind, isMany };
      return (before === kind || (before === 'integer' && kind === 'number')) && (isMany || !wasMany);
    };
    const refused = custom.filter((setting) => !isKept(setting) && isSet(setting.field));
    if (refused.length === 0) for (const { field, kind, isMany } of custom) this.#kinds[field] = { kind, isMany };
    return refused.map(({ path }) => path.join('.'));
  }

  guild(id: string): Stored {
    return this.#guilds.get(id) ?? NEW;
  }

  /** Returns the guilds with stored data. */
  guilds(): string[] {
    return [...this.#guilds.keys()];
  }

  commit(guild: string, next: Partial<Stored>, author: Author, { changes, unset = [], of = {} }: Change): void {
    const before = this.guild(guild);
    const isPresent = before.revision === 0 && author.origin !== 'platform' && this.#erasedPresent.has(guild);
    // A change past its retention was only kept while it was the newest of the guild.
    if (before.revision < this.oldest) this.#lines = this.#lines.filter(({ revision }) => revision !== before.revision);
    this.revision += 1;
    const { revision } = this;
    const entry: HistoryEntry = {
      revision,
      at: new Date(this.nowMs).toISOString(),
      kind: author.origin === 'platform' ? 'platform' : 'settings',
      ...author,
      changes,
      ...of,
    };
    const line = { guild, at: this.nowMs, revision, entry, unset };
    this.#lines.push(line);
    this.#changes.push(line);
    this.#guilds.set(guild, { ...before, ...(isPresent && { presence: 'present' }), ...next, revision });
    const undone = of.undoes === undefined ? undefined : this.entry(guild, of.undoes);
    if (undone) undone.undoneBy = revision;
  }

  report(guild: string, presence: 'present' | 'left', profile: Partial<GuildProfile>, applicationId: string): void {
    const next = { ...profile, presence };
    const changes = differences({ ...this.guild(guild) }, next);
    const author = { actor: { kind: 'platform', id: applicationId }, origin: 'platform', reason: null } as const;
    if (Object.keys(changes).length > 0) this.commit(guild, next, author, { changes });
    if (presence === 'present') this.#leftAt.delete(guild);
    else if (!this.#leftAt.has(guild)) this.#leftAt.set(guild, this.nowMs);
  }

  /** Erases a guild, if it has stored data. */
  eraseOnRequest(guild: string): void {
    if (this.guild(guild).revision > 0) this.#erase(guild, true);
    else if (!this.#erasures.has(guild)) this.#erasures.set(guild, { revision: this.revision, isRequested: true });
  }

  /** Erases the id of a person from all changes. @returns false: the last time was less than a day ago */
  forget(personId: string): boolean {
    const entries = this.#lines.flatMap(({ entry }) => (entry?.actor.id === personId ? [entry] : []));
    if (entries.length === 0) return true;
    const lastAt = this.#forgottenAt.get(personId);
    if (lastAt !== undefined && this.nowMs - lastAt < DAY_MS) return false;
    for (const entry of entries) entry.actor = { kind: 'user', id: null };
    this.#forgottenAt.set(personId, this.nowMs);
    return true;
  }

  /**
   * Deletes data past its retention: the oldest changes except the newest of each guild, and guilds that the bot left.
   */
  retain(): void {
    const log = this.#lines.filter(({ revision }) => revision >= this.oldest);
    const kept = log.findIndex(({ at }) => at >= this.nowMs - 90 * DAY_MS);
    const due = new Set(kept < 0 ? log : log.slice(0, kept));
    this.oldest = Math.max(this.oldest - 1, ...[...due].map(({ revision }) => revision)) + 1;
    this.#lines = this.#lines.filter((line) => !due.has(line) || line.revision === this.guild(line.guild).revision);
    for (const [guild, leftAt] of this.#leftAt) if (leftAt < this.nowMs - 30 * DAY_MS) this.#erase(guild, false);
    for (const [guild, { revision, isRequested }] of this.#erasures)
      if (!isRequested && revision < this.oldest) this.#erasures.delete(guild);
  }

  isLeft(guild: string): boolean {
    return this.#leftAt.has(guild);
  }

  get isAnyLeft(): boolean {
    return this.#leftAt.size > 0;
  }

  /**
   * The change from which the value of a field comes, among a change and later ones: an undo reassigns the value to the
   * change that had set it before the undone one. 0: an earlier change.
   */
  sourceOf(guild: string, field: string, target: number, upTo = Number.POSITIVE_INFINITY): number {
    const newest = this.touching(guild, field).findLast(({ revision }) => revision >= target && revision <= upTo);
    if (newest === undefined) return 0;
    const { revision, undoes } = newest;
    const isUndoOfLater = revision > target && undoes !== undefined && undoes >= target;
    return isUndoOfLater ? this.sourceOf(guild, field, target, undoes - 1) : revision;
  }

  /** Returns the changes of a field, oldest first. */
  touching(guild: string, field: string): HistoryEntry[] {
    return this.entries(guild).filter(({ changes }) => Object.hasOwn(changes, field));
  }

  /** Returns the changes of a guild, oldest first. */
  entries(guild: string): HistoryEntry[] {
    return this.#lines.flatMap((line) => (line.guild === guild && line.entry !== null ? [line.entry] : []));
  }

  entry(guild: string, revision: number): HistoryEntry | undefined {
    return this.entries(guild).find((entry) => entry.revision === revision);
  }

  unsetBefore(guild: string, revision: number): readonly string[] {
    return this.#changes.find((line) => line.guild === guild && line.revision === revision)?.unset ?? [];
  }

  /**
   * Returns the values of a guild at a revision: from the log, and the present ones of fields that were not changed
   * since.
   * @param isOfSet true: only the values set then; otherwise with the logged defaults
   */
  past(id: string, at: number, isOfSet: boolean): ModelValues {
    const { name, icon, set } = this.guild(id);
    const then: Record<string, unknown> = { name, icon, ...set };
    for (const { entry, unset } of this.#changes
      .filter(({ guild, revision }) => guild === id && revision > at)
      .reverse())
      for (const [field, { from }] of Object.entries(entry?.changes ?? {}))
        then[field] = isOfSet && unset.includes(field) ? undefined : from;
    delete then.presence;
    return then;
  }

  /** The revision of a guild at a time: the time itself if the change is not kept and others have been made since. */
  revisionAt(guild: string, at: number): number {
    const { revision } = this.guild(guild);
    if (at >= revision) return revision;
    const newest = this.entries(guild).findLast((entry) => entry.revision <= at);
    const isComplete = this.oldest === 1 || (this.#erasures.get(guild)?.revision ?? 0) >= this.oldest - 1;
    return newest?.revision ?? (isComplete ? 0 : at);
  }

  isKnown(guild: string, at: number): boolean {
    const { revision } = this.guild(guild);
    const isUnchanged = revision > 0 && at >= revision;
    const isErased = at < (this.#erasures.get(guild)?.revision ?? 0);
    return at <= this.revision && !isErased && (at >= this.oldest - 1 || isUnchanged);
  }

  #erase(guild: string, isRequested: boolean): void {
    if (this.guild(guild).presence === 'present') this.#erasedPresent.add(guild);
    else this.#erasedPresent.delete(guild);
    this.#leftAt.delete(guild);
    this.#lines = this.#lines.filter((line) => line.guild !== guild);
    this.#changes = this.#changes.filter((line) => line.guild !== guild);
    this.#guilds.delete(guild);
    this.revision += 1;
    this.#lines.push({ guild, at: this.nowMs, revision: this.revision, entry: null, unset: [] });
    this.#erasures.set(guild, { revision: this.revision, isRequested });
  }
}

function differences(before: ModelValues, values: ModelValues): FieldChanges {
  const changed = Object.entries(values).filter(([field, to]) => before[field] !== to);
  return Object.fromEntries(changed.map(([field, to]) => [field, { from: before[field], to }]));
}
