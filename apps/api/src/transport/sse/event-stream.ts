import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { IdentifiedEvent } from '../../feed/feed-event.ts';
import type { Encoding, Outlet } from '../../feed/outlet.ts';
import { type EventFormat, encodingOf } from './event-format.ts';

export interface StreamFormat {
  readonly format: EventFormat;
  readonly chunked: Encoding;
  readonly plain: Encoding;
}

export function streamFormat(format: EventFormat): StreamFormat {
  return {
    format,
    chunked: encodingOf(format, { isChunked: true }),
    plain: encodingOf(format, { isChunked: false }),
  };
}

export class EventStream implements Outlet {
  readonly encoding: Encoding;
  readonly #response: ServerResponse;
  readonly #isChunked: boolean;
  readonly #gone: AbortSignal;

  /**
   * Sends the headers of the response and the start of the stream.
   * @param gone aborted when the client is gone
   */
  constructor(response: ServerResponse, { format, chunked, plain }: StreamFormat, gone: AbortSignal) {
    response.write(format.start);
    this.#response = response;
    this.#gone = gone;
    // HTTP/1.0 has no chunks.
    this.#isChunked = response.chunkedEncoding;
    this.encoding = this.#isChunked ? chunked : plain;
    // Node would frame the bytes again for each connection.
    response.chunkedEncoding = false;
  }

  write(bytes: Buffer): boolean {
    return this.#response.write(bytes);
  }

  async drained(): Promise<void> {
    if (!this.#response.writableNeedDrain || this.#gone.aborted) return;
    await once(this.#response, 'drain', { signal: this.#gone }).catch(() => {});
  }

  async send(event: IdentifiedEvent<{ readonly type: string }>): Promise<void> {
    if (!this.write(this.encoding.encode([event]))) await this.drained();
  }

  end(message: string | null): void {
    this.#response.chunkedEncoding = this.#isChunked;
    this.#response.end(message ?? undefined);
  }
}
