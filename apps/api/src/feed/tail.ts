import { setImmediate } from 'node:timers/promises';
import type { Cursor } from '@guild-settings/contract';
import type { FeedPage } from '../store/guild-store.ts';
import {
  type Audience,
  type Encoding,
  eventsOf,
  type FeedItem,
  feedEvent,
  type Outlet,
  PageGuilds,
  positionAfter,
} from './events.ts';

/** Watches written to per turn of the event loop. Requests are handled between two turns. */
const WATCHES_PER_TURN = 32;

/** Shortest time between two searches for watches that are due, in milliseconds. */
const MIN_SEARCH_INTERVAL_MS = 250;

interface TailSource {
  readonly read: (revision: number) => Promise<FeedPage>;
  /** Discards cached pages, which may have been read before a change. */
  readonly forgetPages: () => void;
  readonly monotonicMs: () => number;
}

/**
 * The watches that wait at the end of the feed. After a commit the page is read once for all of them, encoded once per
 * group, and written to some of them in each turn of the event loop. Watches of other guilds are not touched.
 */
export class Tail {
  readonly #source: TailSource;
  readonly #groups = new Map<string, TailGroup>();
  #size = 0;
  #position: Cursor = { epoch: '', revision: 0 };
  #isReadDue = false;
  #areBookmarksDue = false;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #timerAtMs = Number.POSITIVE_INFINITY;

  constructor(source: TailSource) {
    this.#source = source;
  }

  /** Sends committed changes. Commits that become known meanwhile are sent together afterwards. */
  wake(): void {
    if (this.#size === 0) return;
    this.#isReadDue = true;
    this.#start();
  }

  /**
   * Adds a watch that has read to the end of the feed.
   * @returns false if it has to read again, because there is a newer revision or another epoch
   */
  join(member: TailMember): boolean {
    const { epoch = '', revision } = member;
    if (this.#size === 0 && this.#running === undefined) this.#position = { epoch, revision };
    else if (epoch !== this.#position.epoch) {
      this.#source.forgetPages();
      this.wake();
      return false;
    } else if (revision < this.#position.revision) return false;
    const key = groupKeyOf(member);
    const group = this.#groups.get(key) ?? new TailGroup(member);
    this.#groups.set(key, group);
    group.members.add(member);
    this.#size += 1;
    // If this is the first watch, a commit after its read did not wake this tail.
    if (this.#size === 1 || revision > this.#position.revision) this.wake();
    this.#schedule(member.dueAtMs);
    return true;
  }

  leave(member: TailMember): void {
    const key = groupKeyOf(member);
    const group = this.#groups.get(key);
    if (!group?.members.delete(member)) return;
    if (group.members.size === 0) this.#groups.delete(key);
    this.#size -= 1;
    if (this.#size > 0) return;
    clearTimeout(this.#timer);
    this.#timerAtMs = Number.POSITIVE_INFINITY;
  }

  end(): void {
    this.#releaseAll(this.#position);
  }

  #start(): void {
    this.#running ??= Promise.resolve().then(() => this.#send());
  }

  async #send(): Promise<void> {
    while (this.#size > 0 && (this.#isReadDue || this.#areBookmarksDue)) {
      const from = this.#position;
      try {
        if (this.#isReadDue) await this.#sendPage(from);
        else await this.#sendBookmarks(from);
      } catch {
        // A released watch reads the page itself, and handles the error. Watches that have received it are already
        // ahead.
        this.#releaseAll(from);
      }
    }
    this.#running = undefined;
  }

  async #sendPage(from: Cursor): Promise<void> {
    this.#isReadDue = false;
    const page = await this.#source.read(from.revision);
    if (page.epoch !== from.epoch) return this.#releaseAll(from);
    const end = { epoch: page.epoch, revision: page.upTo };
    this.#position = end;
    if (!page.isLast) this.#isReadDue = true;
    const guilds = new PageGuilds(page.entries);
    await this.#visit((group) => {
      if (!guilds.concern(group.audience)) return undefined;
      const bytes = group.encodePage(page);
      if (bytes === undefined && group.hasOutlets) return undefined;
      return (member) => {
        // The member has joined since.
        if (member.revision >= end.revision) return false;
        const isComplete = member.outlet !== undefined && member.revision <= from.revision;
        if (!isComplete || this.#source.monotonicMs() >= member.untilMs) this.#release(member, from);
        else if (!member.receive(bytes, end)) this.#release(member, end);
        return true;
      };
    });
  }

  async #sendBookmarks(at: Cursor): Promise<void> {
    this.#areBookmarksDue = false;
    const nowMs = this.#source.monotonicMs();
    await this.#visit((group) => {
      const bytes = group.encodeBookmark(at);
      return (member) => {
        if (nowMs < member.dueAtMs) return false;
        const isComplete = member.outlet !== undefined && member.revision <= at.revision;
        if (!isComplete || nowMs >= member.untilMs || !member.receive(bytes, at)) this.#release(member, at);
        return true;
      };
    });
    this.#schedule(this.#firstDueAtMs());
  }

  /**
   * Calls the function of each group for its members; it returns true if it has written. Watches may join and leave
   * meanwhile.
   */
  async #visit(visitorOf: (group: TailGroup) => ((member: TailMember) => boolean) | undefined): Promise<void> {
    let isFirstTurn = true;
    let left = WATCHES_PER_TURN;
    const nextTurn = async () => {
      await setImmediate();
      isFirstTurn = false;
      left = WATCHES_PER_TURN;
    };
    for (const precedence of PRECEDENCES) {
      for (const group of this.#groups.values()) {
        const visit = group.precedence === precedence ? visitorOf(group) : undefined;
        if (visit === undefined) continue;
        // Lets the response to the change be written before many watches are. A few do not delay it.
        if (isFirstTurn && group.members.size > left) await nextTurn();
        for (const member of group.members) {
          if (!visit(member)) continue;
          left -= 1;
          if (left === 0) await nextTurn();
        }
      }
    }
  }

  #release(member: TailMember, at: Cursor): void {
    this.leave(member);
    member.release(at);
  }

  #releaseAll(at: Cursor): void {
    for (const { members } of this.#groups.values()) for (const member of members) this.#release(member, at);
  }

  #firstDueAtMs(): number {
    let first = Number.POSITIVE_INFINITY;
    for (const { members } of this.#groups.values())
      for (const { dueAtMs } of members) if (dueAtMs < first) first = dueAtMs;
    return first;
  }

  /** Sets the shared timer to the first watch that is due. */
  #schedule(dueAtMs: number): void {
    const nowMs = this.#source.monotonicMs();
    const atMs = Math.max(dueAtMs, nowMs + MIN_SEARCH_INTERVAL_MS);
    if (atMs >= this.#timerAtMs || this.#size === 0) return;
    clearTimeout(this.#timer);
    this.#timerAtMs = atMs;
    this.#timer = setTimeout(() => this.#search(), Math.ceil(atMs - nowMs));
  }

  #search(): void {
    this.#timerAtMs = Number.POSITIVE_INFINITY;
    const dueAtMs = this.#firstDueAtMs();
    if (this.#source.monotonicMs() < dueAtMs) {
      this.#schedule(dueAtMs);
      return;
    }
    // A bookmark states that nothing precedes it, and a wake-up may have been lost.
    this.#source.forgetPages();
    this.#isReadDue = true;
    this.#areBookmarksDue = true;
    this.#start();
  }
}

export interface TailMember {
  readonly audience: Audience;
  /** The destination of its events; undefined: it is released and reads each page itself. */
  readonly outlet: Outlet | undefined;
  readonly isRegistered: boolean;
  /**
   * The revision from which it reads on. At the end of the feed it may be behind by changes of guilds that it does not
   * follow.
   */
  readonly revision: number;
  readonly epoch: string | undefined;
  readonly untilMs: number;
  /** The time at which it has to send a bookmark, or ends, in monotonic milliseconds. */
  readonly dueAtMs: number;
  /** Writes bytes to the outlet. Returns true if the watch keeps waiting, at the cursor after them. */
  receive(bytes: Buffer | undefined, end: Cursor): boolean;
  release(at: Cursor): void;
}

/** The order in which groups receive a change: watches in this process, watches that requests may wait for, others. */
const PRECEDENCES = [0, 1, 2] as const;

/** Watches at the end of the feed that receive the same bytes: same guilds, view and encoding. */
class TailGroup {
  readonly members = new Set<TailMember>();
  readonly audience: Audience;
  readonly hasOutlets: boolean;
  readonly precedence: (typeof PRECEDENCES)[number];
  readonly #encoding: Encoding | undefined;

  constructor({ audience, outlet, isRegistered }: TailMember) {
    this.audience = audience;
    this.hasOutlets = outlet !== undefined;
    this.precedence = outlet === undefined ? 0 : isRegistered ? 1 : 2;
    this.#encoding = outlet?.encoding;
  }

  encodePage(page: FeedPage): Buffer | undefined {
    return this.#encode(page.epoch, [...eventsOf(page, this.audience)]);
  }

  /** Returns a bookmark, or a heartbeat for members that do not support bookmarks. */
  encodeBookmark({ epoch, revision }: Cursor): Buffer | undefined {
    return this.#encode(epoch, [{ type: 'bookmark', revision }]) ?? this.#encoding?.heartbeat;
  }

  #encode(epoch: string, events: readonly FeedItem[]): Buffer | undefined {
    const { types } = this.audience.view;
    const accepted = events
      .filter(({ type }) => types.has(type))
      .map((event) => feedEvent(positionAfter(epoch, event), event));
    return accepted.length === 0 ? undefined : this.#encoding?.encode(accepted);
  }
}

function groupKeyOf({ audience, outlet, isRegistered }: TailMember): string {
  const { shard, guildId = '', view } = audience;
  return `${isRegistered} ${outlet?.encoding.name} ${view.name} ${guildId} ${shard?.id}/${shard?.count}`;
}
