import type { IdentifiedEvent } from './feed-event.ts';

/** The encoding of events. Watches with the same encoding share the bytes of the events that they have in common. */
export interface Encoding {
  readonly name: string;
  /** Shows that the connection is alive, and is no event. */
  readonly heartbeat: Buffer;
  encode(events: readonly IdentifiedEvent<{ readonly type: string }>[]): Buffer;
}

export interface Outlet {
  readonly encoding: Encoding;
  /** Writes bytes. Returns false when nothing more should be written until {@link drained} resolves. */
  write(bytes: Buffer): boolean;
  /** Resolves when more can be written, or the reader has gone. */
  drained(): Promise<void>;
}
