import { type FollowEvent, parseCursor, WATCH_EVENT_TYPES, type WatchedGuild } from '@guild-settings/contract';
import { type EventStream, openEvents, openWatch, type RawWatch } from '../streams.ts';
import { waitUntil } from '../time.ts';
import { ModelRules } from './rules.ts';

/**
 * A watcher that keeps the received data. If it knows declarations, it applies the defaults of the one at the start of
 * the stream.
 */
export class ModelWatcher {
  readonly records = new Map<string, WatchedGuild>();
  readonly #accepts: readonly string[] | undefined;
  #rules = new ModelRules(undefined);
  #watch: RawWatch | undefined;
  #applied = 0;
  #lastId: string | undefined;

  constructor(knowsDeclarations: boolean) {
    this.#accepts = knowsDeclarations ? WATCH_EVENT_TYPES : undefined;
  }

  /** Starts to watch after the last event. */
  async open(url: string, token: string): Promise<void> {
    const cursor = this.#lastId === undefined ? undefined : parseCursor(this.#lastId);
    this.#applied = 0;
    const watch = await openWatch(url, token, { cursor, ...(this.#accepts && { accepts: this.#accepts }) });
    this.#watch = watch;
    // The service may stop first.
    watch.ended.catch(() => {});
    if (this.#accepts === undefined) return;
    await waitUntil(() => watch.events.at(-1)?.type === 'live', { message: 'the watch to be live' });
    const [first] = watch.events;
    this.#rules = new ModelRules(first?.type === 'declaration' ? first.declaration : undefined);
    // In records without a declaration it is unknown which values are set.
    const isAnyWhole = [...this.records.values()].some(({ unset }) => unset === undefined);
    if (first?.type !== 'declaration' || !isAnyWhole || cursor === undefined) return;
    watch.close();
    this.#lastId = undefined;
    await this.open(url, token);
  }

  close(): void {
    this.#apply();
    this.#watch?.close();
  }

  async reach(revision: number): Promise<void> {
    const isReached = () => {
      this.#apply();
      return (parseCursor(this.#lastId ?? '')?.revision ?? -1) >= revision;
    };
    await waitUntil(isReached, { message: `the watcher at ${this.#lastId} to reach ${revision}` });
  }

  record(id: string): object {
    const { name, icon } = this.#guild(id).guild;
    return { id, name, icon, ...this.#rules.record(this.#set(id)) };
  }

  /** Returns the set fields of a guild; undefined: unknown. */
  fieldsSet(id: string): string[] | undefined {
    const set = this.#set(id);
    if (this.#guild(id).unset === undefined) return undefined;
    return this.#rules.settings.filter(({ field, read }) => read(set[field]) !== undefined).map(({ field }) => field);
  }

  #guild(id: string): WatchedGuild {
    const watched = this.records.get(id);
    if (watched === undefined) throw new Error(`Expected a record of guild ${id}, received none`);
    return watched;
  }

  #set(id: string): Record<string, unknown> {
    const { guild, unset = [] } = this.#guild(id);
    const { custom = {}, ...set } = guild as WatchedGuild['guild'] & Record<string, unknown>;
    for (const field of unset) delete set[field];
    return { ...set, ...Object.fromEntries(Object.entries(custom).map(([name, value]) => [`custom.${name}`, value])) };
  }

  #apply(): void {
    const { events = [], ids = [] } = this.#watch ?? {};
    for (const event of events.slice(this.#applied)) {
      if (event.type === 'reset') this.records.clear();
      else if (event.type === 'removed') this.records.delete(event.guild);
      const changed = event.type === 'guild' ? [event] : event.type === 'guilds' ? event.guilds : [];
      for (const { revision, guild, unset } of changed)
        this.records.set(guild.id, { revision, guild, ...(unset && { unset }) });
    }
    this.#applied = events.length;
    this.#lastId = ids.at(-1) ?? this.#lastId;
  }
}

/** A page that follows one guild. */
export class ModelFollower {
  readonly #guild: string;
  #stream: EventStream<FollowEvent> | undefined;
  #before: string | undefined;

  constructor(guild: string) {
    this.#guild = guild;
  }

  /** Starts to follow, after the last event. */
  async open(url: string, token: string): Promise<void> {
    this.#before = this.#lastId();
    this.#stream = await openEvents(`${url}/guilds/${this.#guild}/events`, {
      token,
      lastEventId: this.#before,
      parse: ({ data }) => JSON.parse(data) as FollowEvent,
    });
    this.#stream.ended.catch(() => {});
  }

  close(): void {
    this.#stream?.close();
  }

  /** Resolves with the event of a revision; undefined: the previous connection has received it. */
  async eventAt(revision: number) {
    const known = parseCursor(this.#lastId() ?? '')?.revision ?? -1;
    const find = () => this.#stream?.events.findLast((event) => 'guild' in event && event.revision === revision);
    if (known < revision)
      await waitUntil(() => find() !== undefined, { message: `the event of revision ${revision} of the guild` });
    return find() as Extract<FollowEvent, { readonly guild: object }> | undefined;
  }

  #lastId(): string | undefined {
    return this.#stream?.ids.findLast((id) => parseCursor(id) !== undefined) ?? this.#before;
  }
}
