import { type FollowEvent, formatCursor, parseCursor, WATCH_EVENT_TYPES, type WatchedGuild, type WatchEvent } from '@guild-settings/contract';
import { waitUntil } from '../index.ts';
import { ModelRules } from './declared-rules.ts';
import { openWatch, type RawWatch } from '../streams.ts';

/** A watcher that knows declarations: it keeps what is set, and applies the defaults of the declaration that the stream begins with. */
export class DeclaredWatcher {
  readonly #records = new Map<string, WatchedGuild>();
  #rules = new ModelRules(undefined);
  #watch: RawWatch | undefined;
  #applied = 0;
  #lastId: string | undefined;

  /** Starts to watch, after the last event. */
  async open(url: string, token: string): Promise<void> {
    const cursor = this.#lastId === undefined ? undefined : parseCursor(this.#lastId);
    this.#applied = 0;
    this.#watch = await openWatch(url, token, { accepts: WATCH_EVENT_TYPES, ...(cursor && { cursor }) });
    // The service may stop first.
    this.#watch.ended.catch(() => {});
    await waitUntil(() => this.#watch?.events.at(-1)?.type === 'live', { message: 'the watch to be live' });
    const [first] = this.#watch.events;
    this.#rules = new ModelRules(first?.type === 'declaration' ? first.declaration : undefined);
    // Of records without a declaration it is not known what is set.
    const isAnyWhole = [...this.#records.values()].some(({ unset }) => unset === undefined);
    if (first?.type !== 'declaration' || !isAnyWhole || cursor === undefined) return;
    this.#watch.close();
    this.#lastId = undefined;
    await this.open(url, token);
  }

  close(): void {
    this.#apply();
    this.#watch?.close();
  }

  /** Resolves when it has received everything up to a revision. */
  async reach(revision: number): Promise<void> {
    const isReached = () => {
      this.#apply();
      return (parseCursor(this.#lastId ?? '')?.revision ?? -1) >= revision;
    };
    await waitUntil(isReached, { message: `the watcher to reach ${revision}`, timeoutMs: 20_000 });
  }

  /** Returns the record that it has of a guild. */
  record(id: string): object {
    const { name, icon } = this.#guild(id).guild;
    return { id, name, icon, ...this.#rules.record(this.#set(id)) };
  }

  /** Returns the fields that are set of a guild; undefined: that is not known. */
  fieldsSet(id: string): string[] | undefined {
    const set = this.#set(id);
    if (this.#guild(id).unset === undefined) return undefined;
    return this.#rules.settings.filter(({ field, fits }) => fits(set[field])).map(({ field }) => field);
  }

  #guild(id: string): WatchedGuild {
    const watched = this.#records.get(id);
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
      if (event.type === 'reset') this.#records.clear();
      for (const record of recordsIn(event)) this.#records.set(record.guild.id, record);
    }
    this.#applied = events.length;
    this.#lastId = ids.at(-1) ?? this.#lastId;
  }
}

function recordsIn(event: WatchEvent): readonly WatchedGuild[] {
  if (event.type === 'guilds') return event.guilds;
  return event.type === 'guild' ? [event] : [];
}

/** A page that follows one guild. */
export class GuildFollow {
  readonly #guild: string;
  #events: FollowEvent[] = [];
  #aborter = new AbortController();
  #lastId: string | undefined;

  constructor(guild: string) {
    this.#guild = guild;
  }

  /** Starts to follow, after the last event. */
  async open(url: string, token: string): Promise<void> {
    const aborter = new AbortController();
    this.#aborter = aborter;
    const events: FollowEvent[] = [];
    this.#events = events;
    const id = this.#lastId;
    const headers = { authorization: `Bearer ${token}`, ...(id !== undefined && { 'last-event-id': id }) };
    const response = await fetch(`${url}/guilds/${this.#guild}/events`, { headers, signal: aborter.signal });
    if (response.status !== 200) throw new Error(`Expected a stream, received ${response.status}`);
    void this.#read(response, events).catch(() => {});
  }

  close(): void {
    this.#aborter.abort();
  }

  /** Resolves with the event of a revision; undefined: the connection before has received it. */
  async eventAt(revision: number) {
    const known = parseCursor(this.#lastId ?? '')?.revision ?? -1;
    const find = () => this.#events.findLast((event) => 'guild' in event && event.revision === revision);
    if (known < revision)
      await waitUntil(() => find() !== undefined, {
        message: `the event of revision ${revision} in the stream of the guild`,
        timeoutMs: 20_000,
      });
    return find() as Extract<FollowEvent, { readonly guild: object }> | undefined;
  }

  async #read(response: Response, events: FollowEvent[]): Promise<void> {
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const messages = (text + chunk).split('\n\n');
      text = messages.pop() ?? '';
      for (const message of messages) {
        const fields = new Map(message.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]));
        const data = fields.get('data');
        if (data !== undefined) events.push(JSON.parse(data) as FollowEvent);
        const cursor = parseCursor(fields.get('id') ?? '');
        if (cursor !== undefined) this.#lastId = formatCursor(cursor);
      }
    }
  }
}
