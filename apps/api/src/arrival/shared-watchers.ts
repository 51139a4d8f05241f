import type { Clock } from '../clock.ts';
import type { Store } from '../store/store.ts';
import type { Watcher } from './watcher.ts';
import { WatcherRelay, type WatcherState } from './watcher-relay.ts';
import { WatcherRows } from './watcher-rows.ts';
import type { Watchers } from './watchers.ts';

/** Silence after which another process counts as gone. */
const SILENCE_MS = 8_000;

/** What {@link SharedWatchers} uses. */
export interface SharedWatchersOptions {
  readonly store: Pick<
    Store<never>,
    'readWatchers' | 'saveWatchers' | 'deleteWatchers' | 'watchersVersion' | 'broadcast'
  >;
  readonly clock: Clock;
  readonly watchers: Watchers;
  /** Called with the state of a watcher that another process has sent. */
  readonly onState: (watcher: Watcher, state: WatcherState) => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}

/**
 * Keeps the registered watchers the same in every process of the service. Who is registered is in the database; how far each
 * watcher is, and which process has its stream, are messages.
 */
export class SharedWatchers {
  readonly #options: SharedWatchersOptions;
  readonly #rows: WatcherRows;
  /** Absent: there is only one process. */
  readonly #relay: WatcherRelay | undefined;
  /** When the last message of each other process was received, in monotonic milliseconds. */
  readonly #receivedMs = new Map<string, number>();
  #version = 0;
  #handled: Promise<void> = Promise.resolve();
  #rowsRead: Promise<void> = Promise.resolve();

  constructor(options: SharedWatchersOptions) {
    const { store, watchers, onError } = options;
    this.#options = options;
    this.#rows = new WatcherRows(store, onError);
    const { broadcast } = store;
    if (broadcast === undefined) return;
    this.#relay = new WatcherRelay({
      broadcast,
      stateOf: (id) => stateOf(watchers.get(id)),
      connectedIds: () => [...watchers.all()].filter(({ streams }) => streams > 0).map(({ id }) => id),
      onStates: (from, states) => this.#receiveStates(from, states),
      onGone: (from) => this.#lose(from),
      onBeat: () => this.#loseSilent(),
      onError,
    });
  }

  /** Reads the registered watchers, and requests their positions from the other processes. */
  async load(): Promise<void> {
    await this.#read();
    this.#relay?.hello();
  }

  /** Reads the watchers that other processes have registered since. Returns whether there were any. */
  async refresh(): Promise<boolean> {
    if (this.#relay === undefined) return false;
    if ((await this.#options.store.watchersVersion()) === this.#version) return false;
    await this.#read();
    return true;
  }

  receive(message: string): void {
    this.#relay?.receive(message);
  }

  /** Records that a stream of a watcher was opened in this process. */
  opened(watcher: Watcher): void {
    watcher.streams += 1;
    this.#updatePresence(watcher);
  }

  /** Records that a stream of a watcher has ended in this process. */
  closed(watcher: Watcher): void {
    watcher.streams -= 1;
    this.#updatePresence(watcher);
    void this.publish(watcher);
    if (watcher.leftAtMs !== undefined) void this.#saveAndPublish(watcher);
  }

  /** Stores a watcher. Resolves when it is stored, or could not be. */
  save(watcher: Watcher): Promise<void> {
    return this.#rows.save(watcher).catch(() => {});
  }

  /** The message that follows shows others whether the row may have replaced a newer one. */
  async #saveAndPublish(watcher: Watcher): Promise<void> {
    await this.save(watcher);
    await this.publish(watcher);
  }

  /**
   * Stores a watcher that has registered, and begins a generation of its position. It is later than those that any process has
   * begun before: each row that is stored gets a greater version.
   * @param signal aborted when the watcher has given the connection up: it may have a newer one, whose position counts
   * @throws StoreUnavailableError when it could not be stored
   */
  async register(watcher: Watcher, signal?: AbortSignal): Promise<void> {
    watcher.registrations += 1;
    try {
      await this.#rows.save(watcher);
      const version = await this.#options.store.watchersVersion();
      if (signal?.aborted) return;
      watcher.begin(Math.max(watcher.generation + 1, version));
    } finally {
      watcher.registrations -= 1;
    }
  }

  /** Deletes the row of a watcher, unless it has connected to another process since this one has read the rows. */
  forget(id: string): void {
    this.#rows.delete(id, this.#version);
  }

  /** Sends the position of a watcher to the other processes. Resolves when it is sent. */
  async publish({ id }: Watcher): Promise<void> {
    await this.#relay?.changed(id);
  }

  /** Resolves when nothing is left to store or to send. */
  async close(): Promise<void> {
    await this.#relay?.close();
    await this.#handled;
    await this.#rows.idle();
  }

  /**
   * Reads the registered watchers, one time after another: an older row does not replace a newer one.
   * @param renewed generations of watchers that have registered at another process since they did at this one, by id
   */
  #read(renewed: ReadonlyMap<string, number> = new Map()): Promise<void> {
    const read = this.#rowsRead.catch(() => {}).then(() => this.#readRows(renewed));
    this.#rowsRead = read;
    return read;
  }

  async #readRows(renewed: ReadonlyMap<string, number>): Promise<void> {
    const { store, watchers } = this.#options;
    const version = await store.watchersVersion();
    for (const { leftAt, ...row } of await store.readWatchers()) {
      // Of a watcher with a stream here this process knows more than the table, unless it has registered elsewhere since.
      const { registrations = 0, streams = 0, generation = 0 } = watchers.get(row.id) ?? {};
      if (registrations > 0 || (streams > 0 && generation >= (renewed.get(row.id) ?? 0))) continue;
      watchers.register(row, leftAt === null ? {} : { leftAt });
    }
    this.#version = version;
  }

  #receiveStates(from: string, states: readonly WatcherState[]): void {
    const { clock } = this.#options;
    // It is new, or was silent for so long that it counted as gone.
    if (!this.#receivedMs.has(from)) this.#relay?.hello();
    this.#receivedMs.set(from, clock.monotonicMs());
    if (states.length > 0) this.#inTurn(() => this.#handle(from, states));
  }

  /** Handles messages one after another: one that needs the database is not overtaken by the next. */
  #inTurn(handle: () => Promise<void> | void): void {
    this.#handled = this.#handled.then(handle).catch(this.#options.onError);
  }

  async #handle(from: string, states: readonly WatcherState[]): Promise<void> {
    const { watchers, onState } = this.#options;
    const renewed = states.filter((state) => this.#isRenewed(state));
    if (renewed.length > 0 || states.some(({ id }) => watchers.get(id) === undefined))
      await this.#read(new Map(renewed.map(({ id, generation = 0 }) => [id, generation])));
    for (const state of states) {
      const watcher = watchers.get(state.id);
      if (watcher === undefined) continue;
      if (this.#mayHaveReplacedRow(state, watcher)) void this.#saveAndPublish(watcher);
      watcher.setElsewhere(from, state.isConnected);
      this.#updatePresence(watcher);
      // The position is about other guilds, that the watcher followed before.
      if (this.#hasShardsOf(state)) await onState(watcher, state);
    }
  }

  /**
   * Whether a watcher has connected to another process since, with other shards than this process knows. With the same generation:
   * this process has read a row that was not the newest.
   */
  #isRenewed(state: WatcherState): boolean {
    const { generation = 0 } = this.#options.watchers.get(state.id) ?? {};
    return (state.generation ?? 0) >= generation && !this.#hasShardsOf(state);
  }

  /**
   * Whether a process that knows former shards of a watcher of this one may have stored them since: the row of a connection that ends,
   * or was given up, can be written after that of the connection which follows it.
   */
  #mayHaveReplacedRow(state: WatcherState, { streams, generation }: Watcher): boolean {
    return streams > 0 && state.generation !== undefined && state.generation < generation && !this.#hasShardsOf(state);
  }

  /** Whether this process knows the shards that the position of a watcher is about. */
  #hasShardsOf({ id, shardsDigest }: WatcherState): boolean {
    return shardsDigest === undefined || this.#options.watchers.get(id)?.shardsDigest === shardsDigest;
  }

  #loseSilent(): void {
    const before = this.#options.clock.monotonicMs() - SILENCE_MS;
    for (const [processId, receivedMs] of this.#receivedMs) if (receivedMs < before) this.#lose(processId);
  }

  #lose(processId: string): void {
    this.#receivedMs.delete(processId);
    this.#inTurn(() => this.#endStreamsOf(processId));
  }

  #endStreamsOf(processId: string): void {
    for (const watcher of this.#options.watchers.all()) {
      watcher.setElsewhere(processId, false);
      if (this.#updatePresence(watcher)) void this.save(watcher);
    }
  }

  /** Returns whether the watcher has left just now. */
  #updatePresence(watcher: Watcher): boolean {
    const { clock } = this.#options;
    if (watcher.hasStream === (watcher.leftAtMs === undefined)) return false;
    watcher.sinceMs = clock.nowMs();
    watcher.leftAtMs = watcher.hasStream ? undefined : clock.monotonicMs();
    return !watcher.hasStream;
  }
}

/** The reason of a rejection, without which earlier versions do not read a message. */
const REASON = { reason: '-' };

function stateOf(watcher: Watcher | undefined): WatcherState | undefined {
  if (watcher === undefined) return undefined;
  const { id, generation, shardsDigest, epoch, revision, streams, rejections } = watcher;
  // All of them, which are at most 100, fit in a message.
  const rejected = rejections.map((rejection) => ({ ...rejection, ...REASON }));
  return {
    id,
    generation,
    shardsDigest,
    epoch,
    revision,
    isConnected: streams > 0,
    ...(rejected.length > 0 && { rejected }),
  };
}
