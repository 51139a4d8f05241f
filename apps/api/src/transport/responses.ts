import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { ProblemError } from '@guild-settings/contract';
import { clientNetwork } from '@guild-settings/runtime/http-server';
import type { FastifyInstance } from 'fastify';
import { type Principal, personOf } from '../auth/principal.ts';
import type { TokenCheckSlot } from '../operations/call.ts';

const MEGABYTE = 1_024 * 1_024;

/** The owner of responses to the application acting for itself. */
const APPLICATION = 'application';

/** Bytes of responses that are produced or not yet sent: per person, for the application, and in total. */
const MAX_BYTES = { person: 4 * MEGABYTE, application: 16 * MEGABYTE, all: 32 * MEGABYTE };

/**
 * Smaller responses, such as the largest record of specified settings, are not counted: the calls of a person are
 * rate-limited.
 */
export const COUNTED_BYTES = 20 * 1_024;

/** Milliseconds that a response waits for capacity: clients give up after five seconds. */
const MAX_WAIT_MS = 3_500;

/** Milliseconds after which an unsent response is dropped if others wait for the total capacity. */
const GIVES_WAY_AFTER_MS = 2_000;

const REFUSAL = {
  retryAfter: 1,
  detail: 'You have too many unread responses. Read them, then retry.',
};

interface Waiting {
  readonly owner: string;
  readonly bytes: number;
  readonly admit: () => void;
}

/**
 * Limits the memory of responses that clients do not read. The bytes of a large one are reserved before it is produced,
 * and held until it is sent, or its connection closed. A caller whose capacity is used up waits for its own earlier
 * responses.
 */
export class UnsentResponses {
  readonly #bytes = new Map<string, number>();
  #sum = 0;
  /** In the order of their requests. */
  readonly #waiting = new Set<Waiting>();
  /** The responses that are produced, oldest first. */
  readonly #made = new Map<ServerResponse, { readonly owner: string; readonly atMs: number }>();
  #gaveUpAtMs = Number.NEGATIVE_INFINITY;

  /** Returns true if the bytes fit. A single response always fits. */
  #fits(owner: string, bytes: number): boolean {
    const own = this.#bytes.get(owner) ?? 0;
    const max = owner === APPLICATION ? MAX_BYTES.application : MAX_BYTES.person;
    return (own === 0 || own + bytes <= max) && this.#fitsAll(bytes);
  }

  #fitsAll(bytes: number): boolean {
    return this.#sum === 0 || this.#sum + bytes <= MAX_BYTES.all;
  }

  /**
   * Adds bytes when they fit.
   * @param signal aborted when the client disconnects
   * @throws ProblemError rate-limited when they do not fit in time
   */
  async reserve(owner: string, bytes: number, signal: AbortSignal): Promise<void> {
    if (this.#fits(owner, bytes)) return this.add(owner, bytes);
    await new Promise<void>((resolve, reject) => {
      const end = () => {
        this.#waiting.delete(waiting);
        clearTimeout(timer);
        clearInterval(pressure);
        signal.removeEventListener('abort', refuse);
      };
      const refuse = () => {
        end();
        reject(new ProblemError('rate-limited', REFUSAL));
      };
      const admit = () => {
        end();
        this.add(owner, bytes);
        resolve();
      };
      const waiting = { owner, bytes, admit };
      const timer = setTimeout(refuse, MAX_WAIT_MS);
      const pressure = setInterval(() => this.#fitsAll(bytes) || this.#giveUpOne(), GIVES_WAY_AFTER_MS / 4);
      signal.addEventListener('abort', refuse, { once: true });
      this.#waiting.add(waiting);
    });
  }

  /** Adds bytes of a response that is already produced, even beyond the limits. */
  add(owner: string, bytes: number): void {
    this.#sum += bytes;
    const own = (this.#bytes.get(owner) ?? 0) + bytes;
    if (own > 0) this.#bytes.set(owner, own);
    else this.#bytes.delete(owner);
    if (bytes >= 0) return;
    for (const waiting of this.#waiting) if (this.#fits(waiting.owner, waiting.bytes)) waiting.admit();
  }

  /** Records that a response is produced and waits for its client. */
  made(response: ServerResponse, owner: string): void {
    this.#made.set(response, { owner, atMs: performance.now() });
  }

  ended(response: ServerResponse): void {
    this.#made.delete(response);
  }

  /**
   * Ends the oldest response of the owner with the most unread bytes: an owner who slowly reads a single response is
   * spared.
   */
  #giveUpOne(): void {
    const nowMs = performance.now();
    // The end of a connection is noticed later: without a pause, each waiting response would end one.
    if (nowMs - this.#gaveUpAtMs < GIVES_WAY_AFTER_MS / 8) return;
    let [given, most]: [ServerResponse | undefined, number] = [undefined, 0];
    for (const [response, { owner, atMs }] of this.#made) {
      const bytes = this.#bytes.get(owner) ?? 0;
      if (nowMs - atMs >= GIVES_WAY_AFTER_MS && bytes > most) [given, most] = [response, bytes];
    }
    if (given === undefined) return;
    this.#gaveUpAtMs = nowMs;
    this.#made.delete(given);
    given.destroy();
  }
}

interface RoomOptions {
  /** Maximum bytes of the results of all calls of the request. */
  readonly maxBytes: number;
  /** Contains the caller, once it is known. */
  readonly token: TokenCheckSlot;
  /** Identifies a caller that is not known yet. */
  readonly clientNetwork: () => string;
}

export class ResponseRoom {
  readonly #unsent: UnsentResponses;
  readonly #response: ServerResponse;
  readonly #options: RoomOptions;
  readonly #gone = new AbortController();
  #owner: string | undefined;
  #bytes = 0;
  #reserved: Promise<void> | undefined;

  constructor(unsent: UnsentResponses, response: ServerResponse, options: RoomOptions) {
    this.#unsent = unsent;
    this.#response = response;
    this.#options = options;
  }

  /**
   * Resolves when there is capacity for the response, which the first of its calls reserves.
   * @throws ProblemError rate-limited
   */
  reserve(): Promise<void> | undefined {
    if (this.#options.maxBytes <= COUNTED_BYTES) return undefined;
    this.#reserved ??= this.#reserve(this.#options.maxBytes);
    return this.#reserved;
  }

  async #reserve(bytes: number): Promise<void> {
    onGone(this.#response, () => this.#end());
    await this.#unsent.reserve(this.#name(), bytes, this.#gone.signal);
    if (this.#gone.signal.aborted) this.#unsent.add(this.#name(), -bytes);
    else this.#bytes = bytes;
  }

  made(bytes: number): void {
    if (this.#gone.signal.aborted) return;
    if (bytes <= COUNTED_BYTES) return void (this.#reserved && this.#resize(0));
    if (this.#reserved === undefined) onGone(this.#response, () => this.#end());
    this.#unsent.made(this.#response, this.#name());
    this.#resize(bytes);
  }

  #end(): void {
    // Without a reason it would be an error with a stack, for each response.
    this.#gone.abort('gone');
    this.#unsent.ended(this.#response);
    this.#resize(0);
  }

  #resize(bytes: number): void {
    const more = bytes - this.#bytes;
    this.#bytes = bytes;
    this.#unsent.add(this.#name(), more);
  }

  #name(): string {
    const { token, clientNetwork } = this.#options;
    this.#owner ??= token.principal === undefined ? `address:${clientNetwork()}` : ownerOf(token.principal);
    return this.#owner;
  }
}

function ownerOf(principal: Principal): string {
  const userId = personOf(principal);
  return userId === undefined ? APPLICATION : `user:${userId}`;
}

/**
 * Bytes that are passed to a connection at a time. A client that reads none of them within the write timeout is
 * disconnected.
 */
const PART_BYTES = 64 * 1_024;

declare module 'fastify' {
  interface FastifyRequest {
    /** The capacity of the response; created when it is needed. */
    room?: ResponseRoom;
  }
}

/** Counts every large response until it is sent, and sends it in parts. */
export function boundResponses(app: FastifyInstance, unsent: UnsentResponses): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    // Content shared by all clients is in memory once, so its buffer is not counted.
    const isOwn = typeof payload === 'string' || (payload instanceof Buffer && request.room !== undefined);
    if (!isOwn || payload.length <= COUNTED_BYTES / 4 || request.method === 'HEAD') {
      request.room?.made(0);
      return done();
    }
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
    request.room ??= new ResponseRoom(unsent, reply.raw, {
      maxBytes: 0,
      token: {},
      clientNetwork: () => clientNetwork(request.ip),
    });
    request.room.made(bytes.length);
    if (bytes.length <= PART_BYTES) return done(null, bytes);
    reply.header('content-length', bytes.length);
    done(null, inParts(bytes));
  });
}

/** Returns a stream of parts of a buffer, without copying. Other requests are served between two parts. */
export function inParts(body: Buffer): Readable {
  return Readable.from(partsOf(body));
}

async function* partsOf(body: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += PART_BYTES) {
    yield body.subarray(at, at + PART_BYTES);
    await setImmediate();
  }
}

/**
 * Sends the responses to clients that have sent their last request and closed their half of the connection. Node would
 * close the other half at once, unless the response was already written.
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-9.6
 */
export function serveHalfClosed(app: FastifyInstance): void {
  // Node neither types nor documents this property: lib/_http_server.js, `socketOnEnd`.
  Object.assign(app.server, { httpAllowHalfOpen: true });
}

/**
 * Closes the connection of a stream when its client closes its half: otherwise the disconnect is not noticed before the
 * next event is written.
 */
export function closeWhenHalfClosed({ socket }: IncomingMessage, response: ServerResponse): void {
  const close = () => {
    socket.destroy();
  };
  if (socket.readableEnded) close();
  socket.once('end', close);
  response.once('close', () => socket.off('end', close));
}

/**
 * Calls a function once when a response or its connection has ended, even if the connection has ended before. Node does
 * not emit `close` for a response that waits for earlier ones on the same connection.
 */
export function onGone(response: ServerResponse, handle: () => void): void {
  const { socket } = response.req;
  // A closed connection does not emit the event again.
  if (socket.destroyed) return void process.nextTick(handle);
  const emitters = [socket, response];
  let isGone = false;
  const once = () => {
    for (const emitter of emitters) emitter.off('close', once);
    // Both events are emitted at the end of a connection.
    if (!isGone) handle();
    isGone = true;
  };
  // A connection may have any number of waiting requests.
  socket.setMaxListeners(0);
  for (const emitter of emitters) emitter.on('close', once);
}
