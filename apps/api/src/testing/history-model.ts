import {
  type Conflict,
  DEFAULT_SETTINGS,
  type FieldChanges,
  type Guild,
  type GuildProfile,
  type GuildSettings,
  type HistoryEntry,
  type HistoryInput,
} from '@guild-settings/contract';

const DAY_MS = 86_400_000;

/** The values of a guild, by field. */
type Values = Readonly<Record<string, unknown>>;

const NEW_GUILD: Values = { name: null, icon: null, presence: 'unknown', ...DEFAULT_SETTINGS };
const SETTINGS = Object.keys(DEFAULT_SETTINGS);

/** Who changes something, and how it is recorded. */
export type ModelAuthor = Pick<HistoryEntry, 'actor' | 'origin' | 'reason'>;

/** A condition on the revision of the guild; undefined: none. */
export type ModelMatch = number | undefined;

/** A response of the service: the record or the difference, or what is checked of a problem. */
export interface ModelResponse {
  readonly status: number;
  /** The revision in the entity tag. */
  readonly etag?: number;
  readonly body: object;
}

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

/** A call on a guild, with what the caller knows of the guild from Discord. */
export interface ModelCall {
  readonly guild: string;
  readonly profile: GuildProfile | undefined;
}

/**
 * The history of guilds as documented, in memory: each state is kept as a whole, and nothing is read in parts. Tests compare
 * the service with it.
 */
export class HistoryModel {
  /** Milliseconds since 1970. */
  nowMs: number;
  /** The newest revision. */
  revision = 0;
  /** The log holds all revisions from this one on. */
  oldest = 1;
  #lines: Line[] = [];
  readonly #moments: Moment[] = [];
  readonly #leftAt = new Map<string, number>();
  /** The newest erasure of each guild. */
  /** Guilds that the bot was in when they were erased. A change of one has it in the guild again. */
  readonly #erasedPresent = new Set<string>();
  readonly #erasures = new Map<string, { readonly revision: number; readonly isRequested: boolean }>();

  constructor(nowMs: number) {
    this.nowMs = nowMs;
  }

  /** Returns the change of a guild to come, if it would be accepted: `PATCH`, and a restore of known values. */
  update(call: ModelCall, patch: Partial<GuildSettings>, author: ModelAuthor, match?: ModelMatch): ModelResponse {
    const refused = this.#absent(call) ?? this.#mismatch(call, match, Object.keys(patch));
    if (refused) return refused;
    this.#commit(call.guild, normalized(patch), author);
    return this.read(call);
  }

  /** Imports settings that were exported from the same guild. */
  import(call: ModelCall, patch: Partial<GuildSettings>, author: ModelAuthor, options: ModelUndo = {}): ModelResponse {
    const refused = this.#absent(call) ?? this.#mismatch(call, options.match, Object.keys(patch));
    if (refused) return refused;
    const { changes } = this.#difference(call, normalized(patch)).body as { changes: FieldChanges };
    if (!options.isDryRun) this.#commit(call.guild, normalized(patch), { ...author, origin: 'import' });
    const revision = this.revisionOf(call.guild);
    const record = !options.isDryRun && { guild: this.read(call).body };
    return { status: 200, etag: revision, body: { revision, changes, skipped: [], ...record } };
  }

  /** Erases a guild with its history, as the application. */
  erase(call: ModelCall, match: number): ModelResponse {
    const { guild } = call;
    const etag = this.revisionOf(guild);
    if (match !== etag) {
      const current = recordOf(call, this.#valuesOf(guild));
      return { ...problem(412, 'revision-mismatch', { current }), etag };
    }
    if (etag > 0) this.#erase(guild, true);
    else if (!this.#erasures.has(guild)) this.#erasures.set(guild, { revision: this.revision, isRequested: true });
    return { status: 204, body: {} };
  }

  /** Undoes a change of the guild. */
  undo(call: ModelCall, revision: number, author: ModelAuthor, options: ModelUndo = {}): ModelResponse {
    const target = this.#entry(call.guild, revision);
    const absent = this.#absent(call);
    if (absent) return absent;
    if (target === undefined) return problem(404, 'revision-unknown');
    if (target.kind === 'platform') return problem(409, 'not-undoable');
    const mismatch = this.#mismatch(call, options.match, Object.keys(target.changes));
    if (mismatch) return mismatch;
    const now = this.#valuesOf(call.guild);
    const changed = Object.entries(target.changes).filter(([field, { from }]) => !isSame(now[field], from));
    const conflicts = changed
      .filter(([field]) => this.#sourceOf(call.guild, field, revision) !== revision)
      .map(([field, { to: from }]): Conflict => {
        const newest = this.#touching(call.guild, field).at(-1) ?? target;
        return { field, from, to: now[field], revision: newest.revision, at: newest.at, actor: newest.actor };
      });
    if (conflicts.length > 0) return problem(409, 'later-change', { conflicts });
    const patch = Object.fromEntries(changed.map(([field, { from }]) => [field, from]));
    if (options.isDryRun) return this.#difference(call, patch);
    this.#commit(call.guild, patch, { ...author, origin: 'undo' }, { undoes: revision });
    return this.read(call);
  }

  /** Puts the settings of a guild back. */
  restore(call: ModelCall, revision: number, author: ModelAuthor, options: ModelUndo = {}): ModelResponse {
    const absent = this.#absent(call);
    if (absent) return absent;
    if (!this.#isKnown(call.guild, revision)) return problem(404, 'revision-unknown');
    const mismatch = this.#mismatch(call, options.match, SETTINGS);
    if (mismatch) return mismatch;
    const then = this.#valuesAt(call.guild, revision);
    const patch = Object.fromEntries(SETTINGS.map((field) => [field, then[field]]));
    if (options.isDryRun) return this.#difference(call, patch);
    this.#commit(call.guild, patch, { ...author, origin: 'restore' }, { restores: revision });
    return this.read(call);
  }

  /** Records what the bot reports of a guild. */
  report(guild: string, presence: 'present' | 'left', profile: Partial<GuildProfile>, applicationId: string): void {
    const actor = { kind: 'platform', id: applicationId } as const;
    this.#commit(guild, { ...profile, presence }, { actor, origin: 'platform', reason: null });
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

  /** Whether the bot has left any guild. */
  get isAnyLeft(): boolean {
    return this.#leftAt.size > 0;
  }

  /** Reads the record, now or as it was. */
  read(call: ModelCall, at?: number): ModelResponse {
    const absent = this.#absent(call);
    if (absent) return absent;
    if (at !== undefined && !this.#isKnown(call.guild, at)) return problem(404, 'revision-unknown');
    const values = at === undefined ? this.#valuesOf(call.guild) : this.#valuesAt(call.guild, at);
    const etag = at === undefined ? this.revisionOf(call.guild) : this.#revisionAt(call.guild, at);
    return { status: 200, etag, body: recordOf(call, values) };
  }

  /** Returns all entries that match a query, the newest first. */
  history(guild: string, { before, after, actor, field, kind }: Omit<HistoryInput, 'guild' | 'limit'> = {}) {
    return this.#entries(guild)
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

  /** Reads one change. */
  change(call: ModelCall, revision: number): ModelResponse {
    const entry = this.#entry(call.guild, revision);
    return this.#absent(call) ?? (entry ? { status: 200, body: entry } : problem(404, 'revision-unknown'));
  }

  /** Returns what a watcher has of the guilds, by their ids. */
  watched(): Map<string, { readonly revision: number; readonly guild: object }> {
    const guilds = [...new Set(this.#moments.map(({ guild }) => guild))].filter((guild) => this.revisionOf(guild) > 0);
    return new Map(
      guilds.map((guild) => [
        guild,
        { revision: this.revisionOf(guild), guild: recordOf({ guild, profile: undefined }, this.#valuesOf(guild)) },
      ]),
    );
  }

  #commit(
    guild: string,
    values: Values,
    author: ModelAuthor,
    more: Pick<HistoryEntry, 'undoes' | 'restores'> = {},
  ): void {
    const isPresent = this.revisionOf(guild) === 0 && author.origin !== 'platform' && this.#erasedPresent.has(guild);
    const before = isPresent ? { ...NEW_GUILD, presence: 'present' } : this.#valuesOf(guild);
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
    const undone = more.undoes === undefined ? undefined : this.#entry(guild, more.undoes);
    if (undone) undone.undoneBy = this.revision;
  }

  #erase(guild: string, isRequested: boolean): void {
    if (this.#valuesOf(guild).presence === 'present') this.#erasedPresent.add(guild);
    else this.#erasedPresent.delete(guild);
    this.#leftAt.delete(guild);
    this.#lines = this.#lines.filter((line) => line.guild !== guild);
    this.revision += 1;
    this.#lines.push({ guild, at: this.nowMs, revision: this.revision, entry: null });
    this.#moments.push({ guild, revision: this.revision, values: null });
    this.#erasures.set(guild, { revision: this.revision, isRequested });
  }

  /**
   * The change that the value of a field comes from, among a change and those after it: an undo gives the value back to the
   * change that it came from before the undone one. 0: it comes from a change before.
   */
  #sourceOf(guild: string, field: string, target: number, upTo = Number.POSITIVE_INFINITY): number {
    const newest = this.#touching(guild, field).findLast(({ revision }) => revision >= target && revision <= upTo);
    if (newest === undefined) return 0;
    const { revision, undoes } = newest;
    const isUndoOfLater = revision > target && undoes !== undefined && undoes >= target;
    return isUndoOfLater ? this.#sourceOf(guild, field, target, undoes - 1) : revision;
  }

  #touching(guild: string, field: string): HistoryEntry[] {
    return this.#entries(guild).filter(({ changes }) => Object.hasOwn(changes, field));
  }

  #entries(guild: string): HistoryEntry[] {
    return this.#lines.flatMap((line) => (line.guild === guild && line.entry !== null ? [line.entry] : []));
  }

  #entry(guild: string, revision: number): HistoryEntry | undefined {
    return this.#entries(guild).find((entry) => entry.revision === revision);
  }

  #momentAt(guild: string, revision: number): Moment | undefined {
    return this.#moments.findLast((moment) => moment.guild === guild && moment.revision <= revision);
  }

  #valuesAt(guild: string, revision: number): Values {
    return this.#momentAt(guild, revision)?.values ?? NEW_GUILD;
  }

  #valuesOf(guild: string): Values {
    return this.#valuesAt(guild, this.revision);
  }

  /** Returns the revision of a guild; 0: nothing is stored. */
  revisionOf(guild: string): number {
    const moment = this.#momentAt(guild, this.revision);
    return moment?.values == null ? 0 : moment.revision;
  }

  /** The revision of a guild at a time: the time itself where the change is not kept and others have been made since. */
  #revisionAt(guild: string, at: number): number {
    if (at >= this.revisionOf(guild)) return this.revisionOf(guild);
    const newest = this.#entries(guild).findLast(({ revision }) => revision <= at);
    const isComplete = this.oldest === 1 || (this.#erasures.get(guild)?.revision ?? 0) >= this.oldest - 1;
    return newest?.revision ?? (isComplete ? 0 : at);
  }

  #isKnown(guild: string, at: number): boolean {
    const revision = this.revisionOf(guild);
    const isUnchanged = revision > 0 && at >= revision;
    const isErased = at < (this.#erasures.get(guild)?.revision ?? 0);
    return at <= this.revision && !isErased && (at >= this.oldest - 1 || isUnchanged);
  }

  #absent({ guild }: ModelCall): ModelResponse | undefined {
    return this.isLeft(guild) ? problem(404, 'bot-absent') : undefined;
  }

  #mismatch(call: ModelCall, match: ModelMatch, fields: readonly string[]): ModelResponse | undefined {
    const revision = this.revisionOf(call.guild);
    if (match === undefined || match === revision) return undefined;
    const conflicts = fields.flatMap((field): Conflict[] => {
      const since = this.#touching(call.guild, field).filter((entry) => entry.revision > match);
      const [oldest, newest] = [since[0], since.at(-1)];
      if (oldest === undefined || newest === undefined) return [];
      const [from, to] = [oldest.changes[field]?.from, newest.changes[field]?.to];
      return [{ field, from, to, revision: newest.revision, at: newest.at, actor: newest.actor }];
    });
    return { ...problem(412, 'revision-mismatch', { conflicts, current: this.read(call).body }), etag: revision };
  }

  #difference(call: ModelCall, values: Values): ModelResponse {
    const changes = differences(this.#valuesOf(call.guild), values);
    const revision = this.revisionOf(call.guild);
    return { status: 200, etag: revision, body: { revision, changes } };
  }
}

/** A condition on an undo or a restore, and whether it only returns the difference. */
export interface ModelUndo {
  readonly match?: ModelMatch;
  readonly isDryRun?: boolean;
}

function problem(status: number, slug: string, more: { conflicts?: Conflict[]; current?: object } = {}): ModelResponse {
  return { status, body: { type: `/problems/${slug}`, ...more } };
}

function normalized({ enabledFeatures, ...patch }: Partial<GuildSettings>): Partial<GuildSettings> {
  return { ...patch, ...(enabledFeatures && { enabledFeatures: [...new Set(enabledFeatures)] }) };
}

function differences(before: Values, values: Values): FieldChanges {
  const changed = Object.entries(values).filter(([field, to]) => !isSame(before[field], to));
  return Object.fromEntries(changed.map(([field, to]) => [field, { from: before[field], to }]));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function recordOf({ guild, profile }: ModelCall, { presence: _, ...values }: Values): Guild {
  const known = values.name === null ? { name: profile?.name ?? '', icon: profile?.icon ?? null } : {};
  return { id: guild, ...values, ...known } as Guild;
}
