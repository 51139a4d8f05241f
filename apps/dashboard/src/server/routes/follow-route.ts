import { PassThrough, type Readable } from 'node:stream';
import type { FollowEvent } from '@guild-settings/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Dispatcher } from 'undici';
import { forwardedFor } from '../http/forwarded-for.ts';
import { trpcErrorOf } from '../http/problems.ts';
import type { ServiceRequests } from '../http/service-requests.ts';
import type { SessionStream } from '../session/open-streams.ts';
import { SessionOverError } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import { unreachable } from './failure.ts';
import { forwardedQuery } from './requested-for.ts';
import type { RequireSession } from './require-session.ts';

const TIMEOUT_MS = 10_000;

const PATH = '/trpc/guilds.follow';

interface FollowOptions {
  readonly service: ServiceRequests;
  readonly sessions: Sessions;
  readonly requireSession: RequireSession;
  readonly sameOrigin: onRequestHookHandler;
}

/**
 * Serves the events of a guild: the service's own stream, passed on as it is, at the speed at which the page reads it. It ends
 * with the session, or with the process, after an event that has the reason.
 */
export function mountFollow(app: FastifyInstance, options: FollowOptions): void {
  const { service, sessions, requireSession, sameOrigin } = options;

  app.get(PATH, { onRequest: sameOrigin, config: { isStream: true } }, async (request, reply) => {
    const session = await requireSession(request);
    // Before the service responds: the session may end meanwhile.
    const stream = sessions.streams.open(session.idHash);
    const endIfClosed = () => stream.close();
    request.raw.socket.once('close', endIfClosed);
    try {
      // The service refuses a token within the stream. The page then reads the guild, which renews the token, and connects again.
      const token = await sessions.accessToken(session);
      return pass(await open(service, request, { token, signal: stream.signal }), reply, stream);
    } catch (error) {
      stream.close();
      if (stream.signal.reason instanceof SessionOverError) throw stream.signal.reason;
      throw error;
    } finally {
      request.raw.socket.off('close', endIfClosed);
    }
  });
}

interface OpenOptions {
  readonly token: string;
  readonly signal: AbortSignal;
}

async function open(
  service: ServiceRequests,
  request: FastifyRequest,
  { token, signal }: OpenOptions,
): Promise<Dispatcher.ResponseData> {
  const lastEventId = request.headers['last-event-id'];
  const headers = {
    accept: 'text/event-stream',
    ...forwardedFor(request),
    ...(typeof lastEventId === 'string' && { 'last-event-id': lastEventId }),
  };
  const opening = new AbortController();
  const abort = () => opening.abort(signal.reason);
  const timer = setTimeout(() => opening.abort(new Error(`No response within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  request.raw.socket.once('close', abort);
  signal.addEventListener('abort', abort);
  try {
    if (signal.aborted) abort();
    const target = `${PATH}?${forwardedQuery(request)}`;
    return await service.send({ method: 'GET', target, headers }, token, opening.signal);
  } catch (error) {
    throw unreachable(error);
  } finally {
    clearTimeout(timer);
    request.raw.socket.off('close', abort);
    signal.removeEventListener('abort', abort);
  }
}

function pass(response: Dispatcher.ResponseData, reply: FastifyReply, { signal, close }: SessionStream): FastifyReply {
  const { statusCode, headers, body: upstream } = response;
  const type = String(headers['content-type'] ?? '');
  for (const name of ['retry-after', 'guild-settings-version']) {
    const value = headers[name];
    if (value !== undefined) reply.header(name, value);
  }
  reply.code(statusCode).type(type).header('x-accel-buffering', 'no');
  const page = new PassThrough();
  const end = () => {
    upstream.unpipe(page);
    page.end(lastEvent(signal.reason));
    upstream.destroy();
  };
  signal.addEventListener('abort', end);
  page.once('close', () => {
    signal.removeEventListener('abort', end);
    close();
    upstream.destroy();
  });
  // A service that went away ends the stream. The page connects again.
  upstream.on('error', () => page.end());
  upstream.pipe(page);
  if (signal.aborted) end();
  return reply.send(page satisfies Readable);
}

/** Returns the last event of a stream, in tRPC's form. The empty lines before it end an event of which a part was sent. */
function lastEvent(reason: unknown): string {
  if (reason instanceof SessionOverError) {
    return `\n\nevent: serialized-error\ndata: ${JSON.stringify(trpcErrorOf(reason, PATH))}\n\n`;
  }
  const ended: FollowEvent = { type: 'ended', reason: 'shutdown' };
  return `\n\ndata: ${JSON.stringify(ended)}\n\n`;
}
