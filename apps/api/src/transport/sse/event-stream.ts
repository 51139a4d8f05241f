import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Encoding, IdentifiedEvent, Outlet } from '../../feed/events.ts';
import type { EventFormat } from './event-format.ts';

export interface StreamFormat {
  readonly format: EventFormat;
  readonly encoding: Encoding;
}

export class EventStream implements Outlet {
  readonly encoding: Encoding;
  readonly #response: ServerResponse;
  readonly #gone: AbortSignal;

  /**
   * Sends the headers of the response and the start of the stream.
   * @param gone aborted when the client is gone
   */
  constructor(response: ServerResponse, { format, encoding }: StreamFormat, gone: AbortSignal) {
    // The end of the connection is that of the stream (RFC 9112, section 6.3): Node would frame each event as a chunk, for each connection.
    response.removeHeader('transfer-encoding');
    response.setHeader('connection', 'close');
    response.write(format.start);
    this.#response = response;
    this.#gone = gone;
    this.encoding = encoding;
  }

  write(bytes: Buffer): boolean {
    return this.#response.writableEnded || this.#response.write(bytes);
  }

  async drained(): Promise<void> {
    if (!this.#response.writableNeedDrain || this.#gone.aborted) return;
    await once(this.#response, 'drain', { signal: this.#gone }).catch(() => {});
  }

  async send(event: IdentifiedEvent<{ readonly type: string }>): Promise<void> {
    if (!this.write(this.encoding.encode([event]))) await this.drained();
  }

  end(message: string | null): void {
    if (!this.#response.writableEnded) this.#response.end(message ?? undefined);
  }
}
