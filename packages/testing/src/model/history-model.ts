import { type Conflict, DEFAULT_SETTINGS, type FieldChange, type FieldChanges, type Guild, type GuildProfile, type GuildSettings, type HistoryEntry, type HistoryInput } from '@guild-settings/contract';
import { differences, isSame, type ModelAuthor, ModelLog, type Values } from './model-log.ts';

const SETTINGS = Object.keys(DEFAULT_SETTINGS);

/** A condition on the revision of the guild; undefined: none. */
type ModelMatch = number | undefined;

/** A response of the service: the record or the difference, or what is checked of a problem. */
export interface ModelResponse {
  readonly status: number;
  /** The revision in the entity tag. */
  readonly etag?: number;
  readonly body: object;
}

/** A call on a guild, with what the caller knows of the guild from Discord. */
export interface ModelCall {
  readonly guild: string;
  readonly profile: GuildProfile | undefined;
}

/**
 * The responses of the service about the history of guilds, as documented, from a {@link ModelLog}. Nothing is read in parts.
 * Tests compare the service with it.
 */
export class HistoryModel {
  /** The stored lines. */
  readonly log: ModelLog;

  constructor(nowMs: number) {
    this.log = new ModelLog(nowMs);
  }

  /** Returns the change of a guild to come, if it would be accepted: `PATCH`, and a restore of known values. */
  update(call: ModelCall, patch: Partial<GuildSettings>, author: ModelAuthor, match?: ModelMatch): ModelResponse {
    const refused = this.#absent(call) ?? this.#mismatch(call, match, Object.keys(patch));
    if (refused) return refused;
    this.log.commit(call.guild, normalized(patch), author);
    return this.read(call);
  }

  /** Enables or disables one feature. */
  switchFeature(
    call: ModelCall,
    { feature, isEnabled }: { readonly feature: string; readonly isEnabled: boolean },
    author: ModelAuthor,
    match?: ModelMatch,
  ): ModelResponse {
    const { enabledFeatures } = recordOf(call, this.log.valuesOf(call.guild));
    const others = enabledFeatures.filter((name) => name !== feature);
    const isSwitched = enabledFeatures.includes(feature) !== isEnabled;
    const after = isEnabled ? [...others, feature] : others;
    return this.update(call, { enabledFeatures: isSwitched ? after : enabledFeatures }, author, match);
  }

  /** Imports settings that were exported from the same guild. */
  import(call: ModelCall, patch: Partial<GuildSettings>, author: ModelAuthor, options: ModelUndo = {}): ModelResponse {
    const refused = this.#absent(call) ?? this.#mismatch(call, options.match, Object.keys(patch));
    if (refused) return refused;
    const { changes } = this.#difference(call, normalized(patch)).body as { changes: FieldChanges };
    if (!options.isDryRun) this.log.commit(call.guild, normalized(patch), { ...author, origin: 'import' });
    const revision = this.log.revisionOf(call.guild);
    const record = !options.isDryRun && { guild: this.read(call).body };
    return { status: 200, etag: revision, body: { revision, changes, skipped: [], ...record } };
  }

  /** Erases a guild with its history, as the application. */
  erase(call: ModelCall, match: number): ModelResponse {
    const { guild } = call;
    const etag = this.log.revisionOf(guild);
    if (match !== etag) {
      const current = recordOf(call, this.log.valuesOf(guild));
      return { ...problem(412, 'revision-mismatch', { current }), etag };
    }
    this.log.eraseOnRequest(guild);
    return { status: 204, body: {} };
  }

  /** Undoes a change of the guild. */
  undo(call: ModelCall, revision: number, author: ModelAuthor, options: ModelUndo = {}): ModelResponse {
    const target = this.log.entry(call.guild, revision);
    const absent = this.#absent(call);
    if (absent) return absent;
    if (target === undefined) return problem(404, 'revision-unknown');
    if (target.kind === 'platform') return problem(409, 'not-undoable');
    const mismatch = this.#mismatch(call, options.match, Object.keys(target.changes));
    if (mismatch) return mismatch;
    const now = this.log.valuesOf(call.guild);
    const changed = Object.entries(target.changes).filter(([field, { from }]) => !isSame(now[field], from));
    const conflicts = changed
      .filter(([field]) => this.log.sourceOf(call.guild, field, revision) !== revision)
      .map(([field, { to: from }]): Conflict => {
        const newest = this.log.touching(call.guild, field).at(-1) ?? target;
        return conflict(field, { from, to: now[field] }, newest);
      });
    if (conflicts.length > 0) return problem(409, 'later-change', { conflicts });
    const patch = Object.fromEntries(changed.map(([field, { from }]) => [field, from]));
    if (options.isDryRun) return this.#difference(call, patch);
    this.log.commit(call.guild, patch, { ...author, origin: 'undo' }, { undoes: revision });
    return this.read(call);
  }

  /** Puts the settings of a guild back. */
  restore(call: ModelCall, revision: number, author: ModelAuthor, options: ModelUndo = {}): ModelResponse {
    const absent = this.#absent(call);
    if (absent) return absent;
    if (!this.log.isKnown(call.guild, revision)) return problem(404, 'revision-unknown');
    const mismatch = this.#mismatch(call, options.match, SETTINGS);
    if (mismatch) return mismatch;
    const then = this.log.valuesAt(call.guild, revision);
    const patch = Object.fromEntries(SETTINGS.map((field) => [field, then[field]]));
    if (options.isDryRun) return this.#difference(call, patch);
    this.log.commit(call.guild, patch, { ...author, origin: 'restore' }, { restores: revision });
    return this.read(call);
  }

  /** Erases the id of a person from all changes, once a day. The changes stay. */
  forget(personId: string): ModelResponse {
    return this.log.forget(personId) ? { status: 202, body: {} } : problem(429, 'rate-limited');
  }

  /** Reads the record, now or as it was. */
  read(call: ModelCall, at?: number): ModelResponse {
    const absent = this.#absent(call);
    if (absent) return absent;
    if (at !== undefined && !this.log.isKnown(call.guild, at)) return problem(404, 'revision-unknown');
    const values = at === undefined ? this.log.valuesOf(call.guild) : this.log.valuesAt(call.guild, at);
    const etag = at === undefined ? this.log.revisionOf(call.guild) : this.log.revisionAt(call.guild, at);
    return { status: 200, etag, body: recordOf(call, values) };
  }

  /** Returns all entries that match a query, the newest first. */
  history(guild: string, { before, after, actor, field, kind }: Omit<HistoryInput, 'guild' | 'limit'> = {}) {
    return this.log
      .entries(guild)
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
    const entry = this.log.entry(call.guild, revision);
    return this.#absent(call) ?? (entry ? { status: 200, body: entry } : problem(404, 'revision-unknown'));
  }

  /** Returns what a watcher has of the guilds, by their ids. */
  watched(): Map<string, { readonly revision: number; readonly guild: object }> {
    return new Map(
      this.log.guilds().map((guild) => [
        guild,
        {
          revision: this.log.revisionOf(guild),
          guild: recordOf({ guild, profile: undefined }, this.log.valuesOf(guild)),
        },
      ]),
    );
  }

  #absent({ guild }: ModelCall): ModelResponse | undefined {
    return this.log.isLeft(guild) ? problem(404, 'bot-absent') : undefined;
  }

  #mismatch(call: ModelCall, match: ModelMatch, fields: readonly string[]): ModelResponse | undefined {
    const revision = this.log.revisionOf(call.guild);
    if (match === undefined || match === revision) return undefined;
    const conflicts = fields.flatMap((field): Conflict[] => {
      const since = this.log.touching(call.guild, field).filter((entry) => entry.revision > match);
      const [oldest, newest] = [since[0], since.at(-1)];
      if (oldest === undefined || newest === undefined) return [];
      const [from, to] = [oldest.changes[field]?.from, newest.changes[field]?.to];
      return [conflict(field, { from, to }, newest)];
    });
    return { ...problem(412, 'revision-mismatch', { conflicts, current: this.read(call).body }), etag: revision };
  }

  #difference(call: ModelCall, values: Values): ModelResponse {
    const changes = differences(this.log.valuesOf(call.guild), values);
    const revision = this.log.revisionOf(call.guild);
    return { status: 200, etag: revision, body: { revision, changes } };
  }
}

/** A condition on an undo or a restore, and whether it only returns the difference. */
interface ModelUndo {
  readonly match?: ModelMatch;
  readonly isDryRun?: boolean;
}

function problem(status: number, slug: string, more: { conflicts?: Conflict[]; current?: object } = {}): ModelResponse {
  return { status, body: { type: `/problems/${slug}`, ...more } };
}

function conflict(field: string, values: FieldChange, { revision, at, actor }: HistoryEntry): Conflict {
  return { field, ...values, revision, at, actor };
}

function normalized({ enabledFeatures, ...patch }: Partial<GuildSettings>): Partial<GuildSettings> {
  return { ...patch, ...(enabledFeatures && { enabledFeatures: [...new Set(enabledFeatures)] }) };
}

function recordOf({ guild, profile }: ModelCall, { presence: _, ...values }: Values): Guild {
  const known = values.name === null ? { name: profile?.name ?? '', icon: profile?.icon ?? null } : {};
  return { id: guild, ...values, ...known } as Guild;
}
