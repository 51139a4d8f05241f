import { setTimeout as delay } from 'node:timers/promises';
import {
  type Arrival,
  type Cursor,
  type DeclaredSettings,
  type FollowEvent,
  formatCursor,
  type Guild,
  inEffect,
  ProblemError,
  type SettingValue,
  WATCH_EVENT_TYPES,
} from '@guild-settings/contract';
import type { Arrivals } from '../arrival/arrivals.ts';
import type { GuildAccess } from '../auth/guild-access.ts';
import { entryOf, isOfAccess, type LogReader } from '../domain/change-log.ts';
import type { GuildService } from '../domain/guild-service.ts';
import type { ChangesBetween, HistoryService } from '../domain/history-service.ts';
import type { Records } from '../domain/record.ts';
import type { Feed } from '../feed/feed.ts';
import type { Watch } from '../feed/watch.ts';
import type { LoggedChange } from '../store/guild-store.ts';
import { type Step, withHeartbeats } from './with-heartbeats.ts';

interface FollowedEvent {
  readonly id: string;
  readonly event: FollowEvent;
}

interface GuildFollowerOptions {
  readonly guild: GuildAccess;
  readonly feed: Feed;
  readonly guilds: GuildService;
  readonly records: Records;
  readonly history: HistoryService;
  readonly arrivals: Arrivals;
  /** The time until which the first permission check is valid, in monotonic milliseconds. */
  readonly untilMs: number;
  /**
   * Checks the permission again. Returns until when the check is valid. @throws ProblemError when the permission is
   * gone, or cannot be checked
   */
  readonly judge: () => Promise<number>;
  readonly signal: AbortSignal;
}

/** The events of one guild, for people: a filtered watch, combined with the change log's details of each change. */
export class GuildFollower {
  readonly #options: GuildFollowerOptions;
  #cursor: Cursor = { epoch: '', revision: 0 };
  #known: { readonly guild: Guild; readonly revision: number } | undefined;
  #lastArrival: Omit<Arrival, 'watchers'> | undefined;
  /** Streams have their own limit. */
  readonly #reader: LogReader = { userId: undefined, isGone: () => this.#options.signal.aborted };
  #waiting = new AbortController();

  constructor(options: GuildFollowerOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => this.#waiting.abort(), { once: true });
  }

  /**
   * Yields events until the client disconnects or loses the permission. @param cursor the client has all events up to
   * it
   */
  events(cursor: Cursor | undefined): AsyncGenerator<FollowedEvent, void> {
    const event = () => ({ type: 'heartbeat', revision: this.#known?.revision ?? 0 }) as const;
    const afterMs = this.#options.feed.idleMs;
    const id = formatCursor(cursor ?? this.#cursor);
    return withHeartbeats(this.#steps(cursor, id), id, { afterMs, event });
  }

  /**
   * @param id the id for events without a position in the guild's history: a client that resumes after it resumes where
   * it does now
   */
  async *#steps(cursor: Cursor | undefined, id: string): AsyncGenerator<Step<FollowEvent>, void> {
    const { tag } = this.#options.records.settings;
    if (tag !== undefined) yield { id, event: { type: 'declaration', tag } };
    try {
      yield* this.#permitted(cursor);
    } catch (error) {
      if (!(error instanceof JudgedError)) throw error;
      yield this.#identified({ type: 'ended', reason: reasonOf(error.cause) });
    }
  }

  async *#permitted(cursor: Cursor | undefined): AsyncGenerator<Step<FollowEvent>, void> {
    const { feed, signal } = this.#options;
    let { untilMs } = this.#options;
    yield* this.#start(cursor);
    for (;;) {
      const watch = await feed.watch({
        cursor: this.#cursor,
        shard: undefined,
        guildId: this.#options.guild.id,
        accepts: WATCH_EVENT_TYPES,
        untilMs,
        signal,
      });
      yield* this.#follow(watch);
      if (signal.aborted) return;
      if (feed.isClosed) return yield this.#identified({ type: 'ended', reason: 'shutdown' });
      untilMs = await this.#judge();
    }
  }

  async #judge(): Promise<number> {
    try {
      return await this.#options.judge();
    } catch (cause) {
      throw new JudgedError('The caller may no longer read the guild', { cause });
    }
  }

  /** Yields the changes that the client has missed, or the whole record if they are not available. */
  async *#start(cursor: Cursor | undefined): AsyncGenerator<FollowedEvent, void> {
    const { feed, guild, history } = this.#options;
    const end = await feed.end();
    const known = cursor !== undefined && (await feed.canResume(cursor)) ? cursor : undefined;
    // Read before the record at the cursor, which is computed from the changes: there are too many of them if that
    // would take long.
    const changes =
      known && (await history.changesBetween(guild, { after: known.revision, upTo: end.revision }, this.#reader));
    const before =
      changes && (await history.readAt(guild, { revision: known.revision }, this.#reader).catch(() => undefined));
    if (known === undefined || before === undefined) {
      yield* this.#record(end);
      return;
    }
    this.#cursor = known;
    this.#known = before;
    yield* this.#made(changes, end);
  }

  /** Yields the record. The changes that it replaces may include one of the access list. */
  async *#record(cursor: Cursor): AsyncGenerator<FollowedEvent, void> {
    await this.#judge();
    const { guilds, guild: managed, records } = this.#options;
    const { guild, revision } = records.at(managed, await guilds.find(managed));
    this.#cursor = cursor;
    this.#known = { guild, revision };
    yield this.#identified({ type: 'guild', revision, guild });
  }

  async *#changes(cursor: Cursor): AsyncGenerator<FollowedEvent, void> {
    const { history, guild } = this.#options;
    // The record may be newer than the position, and an erased guild has no revision.
    const after = Math.max(this.#known?.revision ?? 0, this.#cursor.revision);
    const between = { after, upTo: cursor.revision };
    yield* this.#made(await history.changesBetween(guild, between, this.#reader), cursor);
  }

  /** Yields changes up to a cursor; undefined: there are too many. */
  async *#made(changes: ChangesBetween | undefined, cursor: Cursor): AsyncGenerator<FollowedEvent, void> {
    const { guild: managed, records } = this.#options;
    const { epoch } = cursor;
    if (changes === undefined || this.#known === undefined) {
      yield* this.#record(cursor);
      return;
    }
    if (changes.erasure !== undefined) {
      // The erasure includes the access list.
      await this.#judge();
      this.#cursor = { epoch, revision: changes.erasure };
      const { guild } = records.at(managed, null);
      this.#known = { guild, revision: 0 };
      yield this.#identified({ type: 'erased', revision: changes.erasure });
    }
    for (const change of changes.entries) {
      const { guild, event } = eventOfChange(this.#known.guild, change, records.settings);
      const { revision } = change;
      // A person who has lost access does not receive the event about the change.
      if (event.type === 'access') await this.#judge();
      else this.#known = { guild, revision };
      this.#cursor = { epoch, revision };
      yield this.#identified(event);
    }
    this.#cursor = cursor;
  }

  /** Yields events until the watch ends because the permission has to be checked again. */
  async *#follow(watch: Watch): AsyncGenerator<Step<FollowEvent>, void> {
    let next = watch.next();
    let arrival = this.#arrival(0);
    for (;;) {
      const first = await Promise.race([
        next.then((watched) => ({ watched }) as const),
        arrival.then((arrived) => ({ arrived }) as const),
      ]);
      if ('arrived' in first) {
        yield* this.#arrivalEvent(first.arrived);
        // A settled arrival is read again, too: it changes when a watcher connects.
        arrival = this.#arrival(2 * this.#options.feed.idleMs);
        continue;
      }
      const { done, value } = first.watched;
      if (done) return;
      const { cursor, event } = value;
      const before = this.#known?.revision;
      if (event.type === 'reset') return yield* this.#record(await this.#options.feed.end());
      if (event.type !== 'bookmark') yield* this.#changes(cursor);
      this.#cursor = cursor;
      yield { id: formatCursor(cursor) };
      if (this.#known?.revision !== before) arrival = this.#arrival(0);
      next = watch.next();
    }
  }

  async #arrival(waitMs: number): Promise<Arrival> {
    const { arrivals, guild } = this.#options;
    const revision = this.#known?.revision ?? 0;
    // The pending read may be for an older change.
    this.#waiting.abort();
    this.#waiting = new AbortController();
    const { signal } = this.#waiting;
    const isSettled =
      this.#lastArrival?.revision === revision && ['live', 'rejected'].includes(this.#lastArrival.state);
    // The arrival is settled, but a watcher without the change may connect, or a watcher may withdraw a rejection.
    if (waitMs > 0 && isSettled) await delay(waitMs, undefined, { signal, ref: false }).catch(() => {});
    return arrivals.wait(guild.id, revision, { waitMs: isSettled ? 0 : waitMs, isPatient: true, signal });
  }

  *#arrivalEvent({ watchers: _, ...arrival }: Arrival): Generator<FollowedEvent> {
    const { revision, state, away } = arrival;
    const last = this.#lastArrival;
    const isKnown = last?.revision === revision && last.state === state && last.away === away;
    if (isKnown || revision !== (this.#known?.revision ?? 0)) return;
    this.#lastArrival = arrival;
    yield this.#identified({ type: 'arrival', ...arrival });
  }

  #identified(event: FollowEvent): FollowedEvent {
    return { id: formatCursor(this.#cursor), event };
  }
}

/** The caller may no longer read the guild, or that cannot be checked; the cause tells which. */
class JudgedError extends Error {
  override readonly name = 'JudgedError';
}

function reasonOf(error: unknown): 'permission-lost' | 'token-expired' | 'unavailable' {
  if (!(error instanceof ProblemError)) return 'unavailable';
  if (error.slug === 'invalid-token') return 'token-expired';
  return error.slug === 'not-guild-manager' || error.slug === 'insufficient-scope' ? 'permission-lost' : 'unavailable';
}

function eventOfChange(
  record: Guild,
  change: LoggedChange,
  settings: DeclaredSettings,
): { readonly guild: Guild; readonly event: FollowEvent } {
  const { revision, at, actor, origin, reason, changes } = entryOf(change, settings);
  if (isOfAccess(change)) {
    return { guild: record, event: { type: 'access', revision, at, actor, origin, reason, changes } };
  }
  const guild = recordAfter(record, change, settings);
  const presence = changes.presence?.to;
  if (typeof presence === 'string') return { guild, event: { type: 'presence', revision, at, presence, guild } };
  return { guild, event: { type: 'changed', revision, at, actor, origin, reason, changes, guild } };
}

/** Returns a record with the values of a change. Settings that follow a default have the current default. */
function recordAfter(record: Guild, { after, unset }: LoggedChange, { byField }: DeclaredSettings): Guild {
  const values: Record<string, unknown> = { ...record };
  const custom: Record<string, SettingValue> = { ...record.custom };
  for (const [field, to] of Object.entries(after)) {
    const setting = byField.get(field);
    if (setting === undefined) {
      if (Object.hasOwn(record, field) && (to !== null || field === 'icon')) values[field] = to;
      continue;
    }
    const value = (unset?.after.includes(field) ? undefined : inEffect(setting, to)) ?? setting.default;
    if (setting.place === 'record') values[field] = value;
    else custom[setting.name] = value;
  }
  return { ...values, ...(record.custom && { custom }) } as Guild;
}
