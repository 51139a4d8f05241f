import { type Cursor, formatCursor, type WatchEvent } from '@guild-settings/contract';

/** An event of a stream. A client resumes after it by sending its id. */
export interface IdentifiedEvent<T> {
  readonly id: string;
  readonly event: T;
}

/** The notice of a changed access list, which only a watch of one guild receives. */
interface AccessNotice {
  readonly type: 'access';
  readonly revision: number;
}

export type FeedItem = WatchEvent | AccessNotice;

/** An event, and the position of its watch after it. The id is the cursor as text. */
export interface FeedEvent extends IdentifiedEvent<FeedItem> {
  readonly cursor: Cursor;
}

export function feedEvent(cursor: Cursor, event: FeedItem): FeedEvent {
  return { id: formatCursor(cursor), cursor, event };
}

export function positionAfter(epoch: string, event: FeedItem): Cursor {
  return { epoch, revision: 'revision' in event ? event.revision : 0 };
}
