import type { FastifyReply } from 'fastify';

/** Unsent bytes above which a slow reader is disconnected. Its browser reconnects. */
const MAX_WAITING = 1024 * 1024;

/**
 * A response of server-sent events.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export class EventStream {
  readonly #reply: FastifyReply;

  /** Begins the response, with the headers set on the reply so far. */
  constructor(reply: FastifyReply) {
    this.#reply = reply.hijack();
    const headers = { ...reply.getHeaders(), 'content-type': 'text/event-stream; charset=utf-8' };
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) reply.raw.setHeader(name, value);
    reply.raw.writeHead(200);
    reply.raw.write('retry: 1000\n\n');
  }

  send(event: string, data: unknown): void {
    const { raw } = this.#reply;
    if (raw.destroyed || raw.writableEnded) return;
    raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    if (raw.writableLength > MAX_WAITING) raw.destroy();
  }

  onEnd(signal: AbortSignal, ended: () => void): void {
    const { raw } = this.#reply;
    const end = (): void => void raw.end();
    raw.once('close', () => {
      signal.removeEventListener('abort', end);
      ended();
    });
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  }
}
