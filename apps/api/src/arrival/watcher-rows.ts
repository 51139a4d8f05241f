import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { WatcherRow, WatcherState, WatcherStore } from '../store/store.ts';
import { AWAY_TTL_MS, type KnownAt, type TrackedWatcher, type WatcherOptions, type Watchers } from './watchers.ts';

export interface WatcherRowTimes {
  readonly pause: number;
  /** Interval at which a process marks its watchers as connected and reads those of the other processes. */
  readonly beat: number;
  /** Time without a mark after which a watcher of another process counts as disconnected. */
  readonly silence: number;
}

const TIMES: WatcherRowTimes = { pause: 250, beat: 10_000, silence: 25_000 };

export interface WatcherRowsOptions {
  readonly store: WatcherStore;
  readonly watchers: Watchers;
  readonly clock: Clock;
  readonly epoch: () => string;
  /** Called when rows written by other processes were read. */
  readonly onChange: () => void;
  /**
   * Called for a watcher that has left at another process while another run of it has streams here: a copy of its file
   * is open.
   */
  readonly onCopy: (watcher: TrackedWatcher) => void;
  readonly onError: (error: unknown) => void;
  readonly times?: WatcherRowTimes | undefined;
}

/**
 * Keeps the registered watchers in the database. Where several processes share it, a row also has the position of its
 * watcher: each process writes its changes in batches, and reads those of the others. A registration gives the row a
 * number; writes about an earlier registration are discarded.
 */
export class WatcherRows {
  readonly #options: WatcherRowsOptions;
  readonly #times: WatcherRowTimes;
  readonly #changed = new Set<TrackedWatcher>();
  /** Registrations that have ended, until the end is written. */
  readonly #ended = new Map<TrackedWatcher, number>();
  readonly #closing = new AbortController();
  readonly #beat: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #reading: Promise<unknown> = Promise.resolve();
  #version = 0;
  #loadedAtMs: number;

  constructor(options: WatcherRowsOptions) {
    this.#options = options;
    this.#times = options.times ?? TIMES;
    this.#loadedAtMs = options.clock.monotonicMs();
    if (options.store.isShared) this.#beat = setInterval(() => void this.#mark(), this.#times.beat).unref();
  }

  async load(): Promise<void> {
    const { watchers, onChange } = this.#options;
    this.#version = 0;
    await this.#read();
    const { nowMs, knownMs } = this.knownAt();
    // After an outage of the database or of this process, the other processes need time to mark their watchers.
    if (nowMs - knownMs > this.#times.silence) for (const watcher of watchers.all()) watcher.knownSinceMs = nowMs;
    this.#loadedAtMs = nowMs;
    onChange();
  }

  knownAt(): KnownAt {
    const { clock, store } = this.#options;
    const nowMs = clock.monotonicMs();
    return { nowMs, knownMs: store.isShared ? this.#loadedAtMs : nowMs };
  }

  /** Reads the rows that other processes have written since the last call. Returns true if there were any. */
  async refresh(): Promise<boolean> {
    return this.#options.store.isShared && this.#read();
  }

  /**
   * Stores a watcher that registers, as connected.
   * @param run id of the run of its process
   * @returns the number of the registration
   * @throws StoreUnavailableError when the watcher could not be stored
   */
  register({ id, name, shards }: WatcherOptions, run: string | undefined): Promise<number> {
    return this.#options.store.registerWatcher({ id, name, shards }, run);
  }

  moved(watcher: TrackedWatcher): void {
    if (this.#options.store.isShared) this.#write(watcher);
  }

  ended(watcher: TrackedWatcher, registration: number): void {
    this.#ended.set(watcher, registration);
    this.#write(watcher);
  }

  forget(ids: readonly string[]): void {
    this.#options.store.deleteWatchers(ids, AWAY_TTL_MS).catch(this.#options.onError);
  }

  async close(): Promise<void> {
    clearInterval(this.#beat);
    this.#closing.abort();
    await this.#writing;
  }

  /** Reads are serialized, so that an older row does not replace a newer one. */
  #read(): Promise<boolean> {
    const read = this.#reading.catch(() => {}).then(() => this.#readRows());
    this.#reading = read;
    return read;
  }

  async #readRows(): Promise<boolean> {
    const { store, onChange } = this.#options;
    const rows = await store.readWatchers(this.#version);
    for (const row of rows) {
      this.#apply(row);
      this.#version = Math.max(this.#version, row.version);
    }
    if (rows.length > 0) onChange();
    return rows.length > 0;
  }

  #apply(row: WatcherRow): void {
    const { watchers, clock, store, epoch, onCopy } = this.#options;
    const known = watchers.get(row.id);
    if (known !== undefined && row.registration < known.registration) return;
    // The row was left by a killed process that used the database alone: its watchers were connected until now.
    const seenAgoMs = row.isConnected && !store.isShared ? 0 : row.seenAgoMs;
    const watcher = watchers.add(row, seenAgoMs);
    const nowMs = clock.monotonicMs();
    const sinceMs = clock.nowMs() - seenAgoMs;
    // A 1.0.0 service leaves the run of an earlier registration in the row.
    const run = row.run?.registration === row.registration ? row.run : undefined;
    if (row.registration > watcher.registration) {
      if (watcher.absenceAt(this.knownAt()) === 'away') watcher.isMissed = true;
      watcher.register(row.registration, run?.id);
    }
    watcher.seenAtMs = Math.max(watcher.seenAtMs, nowMs - seenAgoMs);
    // The end of a registration that has left may not be written yet.
    const isElsewhere = store.isShared && row.isConnected && !watcher.hasLeft;
    watcher.elsewhereUntilMs = isElsewhere ? nowMs - seenAgoMs + this.#times.silence : Number.NEGATIVE_INFINITY;
    if (row.epoch === epoch()) watcher.acknowledge(row, { nowMs, sinceMs });
    if (run?.hasLeft && !watcher.hasLeft) {
      watcher.leave();
      watcher.sinceMs = sinceMs;
      if (!watcher.hasLeft) onCopy(watcher);
    }
  }

  #write(watcher: TrackedWatcher): void {
    this.#changed.add(watcher);
    this.#writeSoon();
  }

  #writeSoon(): void {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  async #writeAll(): Promise<void> {
    const { store, epoch, onError } = this.#options;
    // Acknowledgements that arrive together share a write.
    await Promise.resolve();
    while (this.#changed.size > 0) {
      const [changed, ended] = [[...this.#changed], [...this.#ended]];
      this.#changed.clear();
      this.#ended.clear();
      const registrations = new Map(ended);
      try {
        await store.updateWatchers(
          changed.map((watcher) => stateOf(watcher, { epoch: epoch(), ended: registrations.get(watcher) })),
        );
      } catch (error) {
        onError(error);
        // Retries with the next change or mark, with a newer state if there is one by then.
        for (const watcher of changed) this.#changed.add(watcher);
        for (const [watcher, registration] of ended)
          if (!this.#ended.has(watcher)) this.#ended.set(watcher, registration);
        return;
      }
      await delay(this.#times.pause, undefined, { signal: this.#closing.signal }).catch(() => {});
    }
  }

  async #mark(): Promise<void> {
    const { store, watchers, onError } = this.#options;
    try {
      const connected = [...watchers.all()].filter(({ streams }) => streams.size > 0).map(({ id }) => id);
      if (connected.length > 0) await store.touchWatchers(connected);
      await this.load();
      watchers.forgetExpired();
      if (this.#changed.size > 0) this.#writeSoon();
    } catch (error) {
      onError(error);
    }
  }
}

/**
 * Returns the state to write for a watcher: its position, and if its registration has ended, with or without a leave.
 */
function stateOf(
  { id, registration, position, hasLeft }: TrackedWatcher,
  { epoch, ended }: { readonly epoch: string; readonly ended: number | undefined },
): WatcherState {
  const { revision, rejected } = position ?? { revision: 0, rejected: [] };
  const hasEnded = ended === registration;
  return { id, registration, epoch: position ? epoch : '', revision, rejected, hasEnded, hasLeft };
}
