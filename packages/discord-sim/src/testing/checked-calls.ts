import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { afterEach } from 'vitest';
import { DeviationFinder, type HttpExchange, readDiscordDocument } from './openapi-check.ts';

/** The file of Discord's OpenAPI document; `null`: calls are not checked. */
const FILE = process.env.DISCORD_OPENAPI || null;

/** Finds deviations from Discord's document; `null` without the document. */
export const finder = FILE === null ? null : new DeviationFinder(readDiscordDocument(FILE));

const exchanges: HttpExchange[] = [];
let exemption: string | null = null;

if (finder) recordExchanges('/api', (exchange) => void exchanges.push(exchange));

export function exemptCalls(reason: string): void {
  exemption = reason;
}

export function uncheckedCalls(): readonly HttpExchange[] {
  return exchanges;
}

/** Returns the deviations of the calls since the last check. */
export function checkCalls(): string[] {
  const found = exemption === null ? exchanges.flatMap((exchange) => finder?.deviations(exchange) ?? []) : [];
  exchanges.length = 0;
  exemption = null;
  return found;
}

// A test fails if its calls deviate from Discord's document.
afterEach(() => {
  const found = checkCalls();
  if (found.length > 0) throw new Error(`Calls deviate from Discord's OpenAPI document:\n${found.join('\n')}`);
});

/**
 * Calls a listener with every exchange of the process's HTTP servers below a path, except for aborted responses. Works
 * below the framework, on what Node.js reads and writes.
 *
 * @see https://nodejs.org/docs/latest-v20.x/api/diagnostics_channel.html#http
 */
function recordExchanges(prefix: string, listener: (exchange: HttpExchange) => void): void {
  subscribe('http.server.request.start', (message) => {
    // The type that Node.js documents for this channel.
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const { method = '', url = '' } = request;
    if (!url.startsWith(prefix)) return;
    const requestBody = tapRequest(request);
    tapResponse(response, (status, headers, responseBody) => {
      listener({
        method,
        url,
        requestHeaders: texts(request.headers),
        requestBody: requestBody(),
        status,
        responseHeaders: texts(headers),
        responseBody,
      });
    });
  });
}

function tapRequest(request: IncomingMessage): () => string {
  const chunks: Buffer[] = [];
  const push = request.push.bind(request);
  request.push = (chunk: Buffer | null, encoding) => {
    if (chunk !== null) chunks.push(Buffer.from(chunk));
    return push(chunk, encoding);
  };
  return () => Buffer.concat(chunks).toString();
}

function tapResponse(
  response: ServerResponse,
  onEnd: (status: number, headers: OutgoingHttpHeaders, body: string) => void,
): void {
  const chunks: Buffer[] = [];
  const keep = (chunk: unknown): void => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  // Headers passed to `writeHead` are not in `getHeaders`.
  const head: OutgoingHttpHeaders = {};
  const { writeHead, write, end } = response;
  const wrapped = {
    writeHead(...args: unknown[]) {
      Object.assign(head, args.at(-1) instanceof Object ? args.at(-1) : {});
      return Reflect.apply(writeHead, response, args);
    },
    write(...args: unknown[]) {
      keep(args[0]);
      return Reflect.apply(write, response, args);
    },
    end(...args: unknown[]) {
      keep(args[0]);
      const result: unknown = Reflect.apply(end, response, args);
      onEnd(response.statusCode, { ...response.getHeaders(), ...head }, Buffer.concat(chunks).toString());
      return result;
    },
  };
  Object.assign(response, wrapped);
}

function texts(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
}
