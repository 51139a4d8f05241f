import { DEFAULT_SETTINGS, type FieldChanges, type GuildProfile, type HistoryEntry } from '@guild-settings/contract';

const DAY_MS = 86_400_000;

/** The values of a guild, by field. */
export type Values = Readonly<Record<string, unknown>>;

const NEW_GUILD: Values = { name: null, icon: null, presence: 'unknown', ...DEFAULT_SETTINGS };

/** The author of a change, and its recorded origin and reason. */
export type ModelAuthor = Pick<HistoryEntry, 'actor' | 'origin' | 'reason'>;

interface Line {
  readonly guild: string;
  readonly at: number;
  readonly revision: number;
  /** Null: the line of an erasure. */
  readonly entry: HistoryEntry | null;
}

/** A guild at a revision; null: erased. */
interface Moment {
  readonly guild: string;
  readonly revision: number;
  readonly values: Values | null;
}

/**
 * A model of stored guilds, in memory: the lines of the change log, and each state of a guild as a whole. It models the
 * effects of retention and erasure on them.
 */
export class ModelLog {
  /** Milliseconds since 1970. */
  nowMs: number;
  /** The newest revision. */
  revision = 0;
  /** The log holds all revisions from this one on. */
  oldest = 1;
  #lines: Line[] = [];
  readonly #moments: Moment[] = [];
  readonly #leftAt = new Map<string, number>();
  /** Guilds that the bot was in when they were erased. A change of one has it in the guild again. */
  readonly #erasedPresent = new Set<string>();
  /** The newest erasure of each guild. */
  readonly #erasures = new Map<string, { readonly revision: number; readonly isRequested: boolean }>();

  readonly #forgottenAt = new Map<string, number>();

  constructor(nowMs: number) {
    this.nowMs = nowMs;
  }

  /** Changes a guild. `more`: the revision that it undoes or restores. Without a difference nothing is written. */
  commit(
    guild: string,
    values: Values,
    author: ModelAuthor,
    more: Pick<HistoryEntry, 'undoes' | 'restores'> = {},
  ): void {
    const isPresent = this.revisionOf(guild) === 0 && author.origin !== 'platform' && this.#erasedPresent.has(guild);
    const before = isPresent ? { ...NEW_GUILD, presence: 'present' } : this.valuesOf(guild);
    const changes = differences(before, values);
    if (Object.keys(changes).length === 0) return;
    // A change past its retention was kept only as long as it was the newest of the guild.
    const superseded = this.revisionOf(guild);
    if (superseded < this.oldest) this.#lines = this.#lines.filter(({ revision }) => revision !== superseded);
    this.revision += 1;
    const entry: HistoryEntry = {
      revision: this.revision,
      at: new Date(this.nowMs).toISOString(),
      kind: author.origin === 'platform' ? 'platform' : 'settings',
      ...author,
      changes,
      ...more,
    };
    this.#lines.push({ guild, at: this.nowMs, revision: this.revision, entry });
    this.#moments.push({ guild, revision: this.revision, values: { ...before, ...values } });
    const undone = more.undoes === undefined ? undefined : this.entry(guild, more.undoes);
    if (undone) undone.undoneBy = this.revision;
  }

  /** Erases a guild, if anything is stored of it. */
  eraseOnRequest(guild: string): void {
    if (this.revisionOf(guild) > 0) this.#erase(guild, true);
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

  /** Records what the bot reports of a guild. */
  report(guild: string, presence: 'present' | 'left', profile: Partial<GuildProfile>, applicationId: string): void {
    const actor = { kind: 'platform', id: applicationId } as const;
    this.commit(guild, { ...profile, presence }, { actor, origin: 'platform', reason: null });
    if (presence === 'present') this.#leftAt.delete(guild);
    else if (!this.#leftAt.has(guild)) this.#leftAt.set(guild, this.nowMs);
  }

  /** Deletes what is past its retention: the oldest changes but the newest of each guild, and guilds that the bot left. */
  retain(): void {
    const log = this.#lines.filter(({ revision }) => revision >= this.oldest);
    const kept = log.findIndex(({ at }) => at >= this.nowMs - 90 * DAY_MS);
    const due = new Set(kept < 0 ? log : log.slice(0, kept));
    this.oldest = Math.max(this.oldest - 1, ...[...due].map(({ revision }) => revision)) + 1;
    this.#lines = this.#lines.filter((line) => !due.has(line) || line.revision === this.revisionOf(line.guild));
    for (const [guild, leftAt] of this.#leftAt) if (leftAt < this.nowMs - 30 * DAY_MS) this.#erase(guild, false);
    for (const [guild, { revision, isRequested }] of this.#erasures)
      if (!isRequested && revision < this.oldest) this.#erasures.delete(guild);
  }

  /** Returns whether the bot has left the guild. */
  isLeft(guild: string): boolean {
    return this.#leftAt.has(guild);
  }

  /** True: the bot has left a guild. */
  get isAnyLeft(): boolean {
    return this.#leftAt.size > 0;
  }

  /**
   * The change that the value of a field comes from, among a change and those after it: an undo gives the value back to the
   * change that it came from before the undone one. 0: it comes from a change before.
   */
  sourceOf(guild: string, field: string, target: number, upTo = Number.POSITIVE_INFINITY): number {
    const newest = this.touching(guild, field).findLast(({ revision }) => revision >= target && revision <= upTo);
    if (newest === undefined) return 0;
    const { revision, undoes } = newest;
    const isUndoOfLater = revision > target && undoes !== undefined && undoes >= target;
    return isUndoOfLater ? this.sourceOf(guild, field, target, undoes - 1) : revision;
  }

  /** Returns the guilds of which anything is stored. */
  guilds(): string[] {
    return [...new Set(this.#moments.map(({ guild }) => guild))].filter((guild) => this.revisionOf(guild) > 0);
  }

  /** Returns the changes of a field, the oldest first. */
  touching(guild: string, field: string): HistoryEntry[] {
    return this.entries(guild).filter(({ changes }) => Object.hasOwn(changes, field));
  }

  /** Returns the changes of a guild, the oldest first. */
  entries(guild: string): HistoryEntry[] {
    return this.#lines.flatMap((line) => (line.guild === guild && line.entry !== null ? [line.entry] : []));
  }

  /** Returns one change of a guild. */
  entry(guild: string, revision: number): HistoryEntry | undefined {
    return this.entries(guild).find((entry) => entry.revision === revision);
  }

  /** Returns the values of a guild at a revision. */
  valuesAt(guild: string, revision: number): Values {
    return this.#momentAt(guild, revision)?.values ?? NEW_GUILD;
  }

  /** Returns the values of a guild now. */
  valuesOf(guild: string): Values {
    return this.valuesAt(guild, this.revision);
  }

  /** Returns the revision of a guild; 0: nothing is stored. */
  revisionOf(guild: string): number {
    const moment = this.#momentAt(guild, this.revision);
    return moment?.values == null ? 0 : moment.revision;
  }

  /** The revision of a guild at a time: the time itself where the change is not kept and others have been made since. */
  revisionAt(guild: string, at: number): number {
    if (at >= this.revisionOf(guild)) return this.revisionOf(guild);
    const newest = this.entries(guild).findLast(({ revision }) => revision <= at);
    const isComplete = this.oldest === 1 || (this.#erasures.get(guild)?.revision ?? 0) >= this.oldest - 1;
    return newest?.revision ?? (isComplete ? 0 : at);
  }

  /** Returns whether the state of a guild at a revision is known. */
  isKnown(guild: string, at: number): boolean {
    const revision = this.revisionOf(guild);
    const isUnchanged = revision > 0 && at >= revision;
    const isErased = at < (this.#erasures.get(guild)?.revision ?? 0);
    return at <= this.revision && !isErased && (at >= this.oldest - 1 || isUnchanged);
  }

  #momentAt(guild: string, revision: number): Moment | undefined {
    return this.#moments.findLast((moment) => moment.guild === guild && moment.revision <= revision);
  }

  #erase(guild: string, isRequested: boolean): void {
    if (this.valuesOf(guild).presence === 'present') this.#erasedPresent.add(guild);
    else this.#erasedPresent.delete(guild);
    this.#leftAt.delete(guild);
    this.#lines = this.#lines.filter((line) => line.guild !== guild);
    this.revision += 1;
    this.#lines.push({ guild, at: this.nowMs, revision: this.revision, entry: null });
    this.#moments.push({ guild, revision: this.revision, values: null });
    this.#erasures.set(guild, { revision: this.revision, isRequested });
  }
}

/** Returns the fields that new values change. */
export function differences(before: Values, values: Values): FieldChanges {
  const changed = Object.entries(values).filter(([field, to]) => !isSame(before[field], to));
  return Object.fromEntries(changed.map(([field, to]) => [field, { from: before[field], to }]));
}

/** Returns whether two values are equal. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
