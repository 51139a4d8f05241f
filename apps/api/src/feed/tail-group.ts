import type { Cursor } from '@guild-settings/contract';
import type { FeedPage } from '../store/guild-store.ts';
import { type FeedItem, feedEvent, positionAfter } from './feed-event.ts';
import type { Encoding, Outlet } from './outlet.ts';
import { type Audience, eventsOf } from './page-events.ts';

export interface TailMember {
  readonly audience: Audience;
  /** The destination of its events; undefined: it reads each page itself, when it is released. */
  readonly outlet: Outlet | undefined;
  readonly isRegistered: boolean;
  /** The revision after which it reads on. At the end of the feed it may be behind, by changes of guilds that it does not follow. */
  readonly revision: number;
  readonly epoch: string | undefined;
  readonly untilMs: number;
  /** The time at which it has to send a bookmark, or ends, in monotonic milliseconds. */
  readonly dueAtMs: number;
  /** Writes bytes to the outlet. Returns whether it waits on, at the cursor after them. */
  receive(bytes: Buffer | undefined, end: Cursor): boolean;
  release(at: Cursor): void;
}

/** The order in which groups are sent a change: those in this process, those that requests may wait for, all others. */
export const PRECEDENCES = [0, 1, 2] as const;

/** Watches at the end of the feed that are sent the same bytes: of the same guilds, with the same view and encoding. */
export class TailGroup {
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

  /** Returns a bookmark, or what keeps the connection open of members that do not understand it. */
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

export function groupKeyOf({ audience, outlet, isRegistered }: TailMember): string {
  const { shard, guildId = '', view } = audience;
  return `${isRegistered} ${outlet?.encoding.name} ${view.name} ${guildId} ${shard?.id}/${shard?.count}`;
}
