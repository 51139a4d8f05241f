import type { Arrival, ArrivalState, GuildId, WatcherArrivalState } from '@guild-settings/contract';
import type { KnownAt, TrackedWatcher } from './tracked-watcher.ts';
import type { WatchedShard } from './watchers.ts';

/** By precedence: the state of a change is the first that one of its watchers has, without those that are gone. */
const STATES: readonly WatcherArrivalState[] = ['rejected', 'pending', 'away', 'live', 'left'];

/** The least pause between two judgements of one wait: what other processes of the service know may be read later. */
const JUDGEMENT_PAUSE_MS = 100;

interface Asked extends KnownAt {
  readonly guildId: GuildId;
  readonly revision: number;
}

/** A watcher of a guild with its state; `isGone`: no change is held back for it. */
interface Judged extends WatchedShard {
  readonly state: WatcherArrivalState;
  readonly isGone: boolean;
}

/** Where a revision is with the watchers of a guild. */
export class GuildArrival {
  readonly #asked: Asked;
  readonly #watchers: readonly Judged[];

  constructor(watchers: Iterable<WatchedShard>, asked: Asked) {
    const { guildId, revision } = asked;
    this.#asked = asked;
    this.#watchers = Array.from(watchers, ({ watcher, shard }) => ({
      watcher,
      shard,
      state: watcher.stateOf(guildId, revision, asked),
      isGone: watcher.absenceAt(asked) !== undefined,
    }));
  }

  get state(): ArrivalState {
    const states = this.#watchers.flatMap(({ state, isGone }) => (isGone ? [] : [state]));
    const [first = 'away'] = states.sort((a, b) => STATES.indexOf(a) - STATES.indexOf(b));
    return first as ArrivalState;
  }

  /** True: it is live, or will not be, because a watcher has rejected it. */
  get isSettled(): boolean {
    return this.state === 'live' || this.state === 'rejected';
  }

  /** The watchers for which the change is not live yet. */
  get lacking(): readonly TrackedWatcher[] {
    return this.#watchers.flatMap(({ watcher, state, isGone }) => (isGone || state === 'live' ? [] : [watcher]));
  }

  /** True: a wait is over, because the change is settled, or because the last wait for those that lack it was in vain. */
  get isOver(): boolean {
    return this.isSettled || this.lacking.every(({ isMissed }) => isMissed);
  }

  /** Milliseconds until a watcher without a connection may count as gone. */
  get nextGoneMs(): number {
    const { nowMs, knownMs } = this.#asked;
    const disconnected = this.lacking.filter((watcher) => !watcher.isConnected(nowMs));
    return Math.max(JUDGEMENT_PAUSE_MS, Math.min(...disconnected.map((watcher) => watcher.reconnectMsAt(knownMs))));
  }

  /** The time at which the last watcher acknowledged it; undefined: unknown. */
  get lastAcknowledgedAtMs(): number | undefined {
    const { revision } = this.#asked;
    const live = this.#watchers.filter(({ state }) => state === 'live');
    const last = Math.max(...live.map(({ watcher }) => watcher.acknowledgedAtMs(revision) ?? Number.NEGATIVE_INFINITY));
    return Number.isFinite(last) ? last : undefined;
  }

  /** The numbers of watchers that have it and that are gone without leave; absent: none is gone. */
  get counts(): Pick<Arrival, 'processes' | 'away'> {
    const numberOf = (counted: WatcherArrivalState) =>
      new Set(this.#watchers.filter(({ state }) => state === counted).map(({ watcher }) => watcher)).size;
    const away = numberOf('away');
    return away === 0 ? {} : { processes: numberOf('live'), away };
  }

  /** The watchers, those first whose state is that of the change, and those last that have taken leave. */
  get watchers(): Arrival['watchers'] {
    const sorted = this.#watchers.toSorted((a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state));
    return sorted.map(({ watcher, shard, state }) => ({
      name: watcher.name,
      shard,
      revision: watcher.position?.revision ?? 0,
      state,
      since: new Date(watcher.sinceMs).toISOString(),
    }));
  }
}
