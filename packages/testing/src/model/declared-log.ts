import type { ModelRules, ModelValues } from './declared-rules.ts';

/** The stored values of a guild. */
interface ModelGuild {
  readonly name: string;
  readonly icon: string | null;
  readonly set: ModelValues;
  readonly revision: number;
}

/** A change in the log. Of a value that was not set, or is not set any more, the default is logged. */
interface ModelChange {
  readonly revision: number;
  readonly guild: string;
  readonly changes: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;
  /** Fields that were not set before. */
  readonly unset: readonly string[];
  readonly isPlatform: boolean;
  readonly undoes: number | undefined;
}

/** A model of stored guilds, in memory: the set values, and the log of changes. */
export class DeclaredLog {
  revision = 0;
  readonly #guilds = new Map<string, ModelGuild>();
  readonly #log: ModelChange[] = [];
  #kinds: Readonly<Record<string, string>> = {};

  /** A process starts. @returns the fields for which it does not, because guilds have values of another kind */
  start({ settings, declaration }: ModelRules): readonly string[] {
    if (declaration === undefined) return [];
    const kinds = Object.fromEntries(
      settings.filter(({ isCustom }) => isCustom).map(({ field, kind, isMany }) => [field, `${kind} ${isMany}`]),
    );
    const isSet = (field: string) => [...this.#guilds.values()].some(({ set }) => Object.hasOwn(set, field));
    const refused = Object.keys(kinds).filter(
      (field) => (this.#kinds[field] ?? kinds[field]) !== kinds[field] && isSet(field),
    );
    if (refused.length === 0) this.#kinds = { ...this.#kinds, ...kinds };
    return refused;
  }

  guild(id: string): ModelGuild {
    return this.#guilds.get(id) ?? { name: '', icon: null, set: {}, revision: 0 };
  }

  /** Returns the changes of a guild, the newest first. */
  changes(guild: string): readonly ModelChange[] {
    return this.#log.filter((change) => change.guild === guild).toReversed();
  }

  record(id: string, rules: ModelRules): object {
    const { name, icon, set } = this.guild(id);
    return { id, name, icon, ...rules.record(set) };
  }

  /** Returns the record at a revision: the values in the log, and those of now for fields that were not changed since. */
  recordAt(id: string, at: number, rules: ModelRules) {
    const now = this.guild(id);
    const then = { name: now.name, icon: now.icon, ...now.set } as Record<string, unknown>;
    for (const { changes } of this.since(id, at).toReversed())
      for (const [field, { from }] of Object.entries(changes)) then[field] = from;
    const { name, icon, ...set } = then;
    return {
      record: { id, name: name ?? '', icon, ...rules.record(set) },
      revision: this.#log.findLast(({ guild, revision }) => guild === id && revision <= at)?.revision ?? 0,
      isFinal: rules.declaration === undefined || rules.settings.every(({ field, fits }) => fits(set[field])),
    };
  }

  rename(guild: string, profile: { readonly name: string; readonly icon: string | null }): void {
    const now: ModelValues = this.#guilds.has(guild) ? { ...this.guild(guild) } : { name: null, icon: null };
    const changed = Object.entries(profile).filter(([field, value]) => now[field] !== value);
    if (changed.length === 0) return;
    const changes = Object.fromEntries(changed.map(([field, to]) => [field, { from: now[field], to }]));
    this.commit(
      guild,
      { changes, unset: [], isPlatform: true, undoes: undefined },
      { ...this.guild(guild), ...profile },
    );
  }

  /** Returns the change that a value comes from: an undo gives a field back to the change before the undone one. */
  sourceOf(guild: string, field: string, target: number, upTo = Number.POSITIVE_INFINITY): number {
    const newest = this.#log.findLast(
      (change) => change.guild === guild && Object.hasOwn(change.changes, field) && change.revision <= upTo,
    );
    if (newest === undefined || newest.revision <= target) return newest?.revision ?? 0;
    const { undoes } = newest;
    return undoes !== undefined && undoes > target ? this.sourceOf(guild, field, target, undoes - 1) : newest.revision;
  }

  /** Returns the changes of a guild after a revision, the oldest first. */
  since(id: string, at: number): readonly ModelChange[] {
    return this.#log.filter(({ guild, revision }) => guild === id && revision > at);
  }

  protected commit(guild: string, change: Omit<ModelChange, 'guild' | 'revision'>, next: ModelGuild): void {
    this.revision += 1;
    this.#log.push({ guild, revision: this.revision, ...change });
    this.#guilds.set(guild, { ...next, revision: this.revision });
  }
}
