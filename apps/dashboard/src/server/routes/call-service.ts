import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { ServiceRequest, ServiceRequests } from '../http/service-requests.ts';
import type { OpenedSession } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import { unreachable, withoutResponse } from './failure.ts';

/** Time that the service has, beside a preferred wait, and before it that the tokens of the session have. */
const TIMEOUT_MS = 10_000;

/** Bytes of a response that are received before any is sent, so that a connection which breaks within them is a problem. */
const HELD_BYTES = 256 * 1_024;

export interface ServiceResponse {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer | Readable;
}

export type CallService = (request: ServiceRequest, session: OpenedSession) => Promise<ServiceResponse>;

/**
 * Returns a function that sends a call, and once more with another token when the service has refused the first one: such a call was
 * not made. It throws a ProblemError without a response of the service in time, and SessionOverError.
 */
export function callServiceOf(service: ServiceRequests, sessions: Sessions): CallService {
  return async (request, session) => {
    const token = await inTime(sessions.accessToken(session));
    const response = await attempt(service, request, token);
    if (!refusesToken(response)) return response;
    const renewed = await inTime(sessions.accessToken(session, token));
    return renewed === token ? response : attempt(service, request, renewed);
  };
}

async function attempt(service: ServiceRequests, request: ServiceRequest, token: string): Promise<ServiceResponse> {
  const deadline = new AbortController();
  const timeoutMs = TIMEOUT_MS + preferredWaitMs(request);
  const timer = setTimeout(() => deadline.abort(new Error(`No response within ${timeoutMs} ms`)), timeoutMs);
  try {
    const { statusCode, headers, body } = await service.send(request, token, deadline.signal);
    const held = await hold(body);
    if (!isPlainJson(headers)) throw new Error(`Expected JSON of the service, received ${statusCode} of another kind`);
    return { statusCode, headers, body: held };
  } catch (error) {
    throw withoutResponse(error, request.method);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves with a token, unless that takes too long: a renewal waits for Discord. */
async function inTime(token: Promise<string>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(unreachable(new Error(`No token within ${TIMEOUT_MS} ms`))), TIMEOUT_MS);
  });
  return Promise.race([token, late]).finally(() => clearTimeout(timer));
}

function preferredWaitMs({ headers }: ServiceRequest): number {
  const [, seconds = '0'] = /^wait=(\d{1,3})$/.exec(headers.prefer ?? '') ?? [];
  return Number(seconds) * 1_000;
}

function refusesToken({ statusCode, headers }: ServiceResponse): boolean {
  return statusCode === 401 && /\berror="invalid_token"/.test(headers['www-authenticate'] ?? '');
}

/** Returns true if a body is the service's JSON, and not the page of a proxy. */
function isPlainJson(headers: IncomingHttpHeaders): boolean {
  const isCoded = (headers['content-encoding'] ?? 'identity') !== 'identity';
  return !isCoded && /^application\/(?:problem\+)?json\b/.test(headers['content-type'] ?? '');
}

/** Receives a body. Of a longer one, the rest is a stream, which is received at the speed at which the page reads it. */
async function hold(body: Readable): Promise<Buffer | Readable> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > HELD_BYTES) return Readable.from(afterHeld(chunks, body), { objectMode: false });
  }
  return Buffer.concat(chunks);
}

async function* afterHeld(held: readonly Buffer[], body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* held;
    yield* body;
  } finally {
    body.destroy();
  }
}
