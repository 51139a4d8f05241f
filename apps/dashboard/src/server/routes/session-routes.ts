import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import type { Cookies } from '../http/cookies.ts';
import { endsOf } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import { isRequestedFor } from './requested-for.ts';
import type { RequireSession } from './require-session.ts';

interface SessionRouteOptions {
  readonly sessions: Sessions;
  readonly cookies: Cookies;
  readonly requireSession: RequireSession;
  readonly sameOrigin: onRequestHookHandler;
}

/** Mounts the operations on one's own sessions: which they are, and ending them. */
export function mountSessions(app: FastifyInstance, options: SessionRouteOptions): void {
  const { sessions, cookies, requireSession, sameOrigin } = options;
  const timeOf = (ms: number) => new Date(ms).toISOString();

  app.get('/session', async (request, reply) => {
    // A first visit is no failure, and browsers would log one.
    if (cookies.session.read(request) === undefined) return reply.code(204).send();
    const session = await requireSession(request);
    const { userId: id, userName: name, userAvatar: avatar, locale, startedAt } = session;
    const { idleUntil, until } = endsOf(session);
    return reply.send({
      user: { id, name, avatar },
      locale,
      startedAt: timeOf(startedAt),
      idleUntil: timeOf(idleUntil),
      until: timeOf(until),
    });
  });

  app.get('/sessions', async (request, reply) => {
    reply.header('vary', 'accept');
    // The page of the sessions has the same address.
    if (request.headers.accept?.includes('text/html')) return reply.callNotFound();
    const own = await requireSession(request);
    const list = await sessions.list(own.userId);
    return reply.send(
      list.map(({ publicId: id, idHash, startedAt, lastUsedAt, device }) => ({
        id,
        isCurrent: idHash === own.idHash,
        startedAt: timeOf(startedAt),
        lastUsedAt: timeOf(lastUsedAt),
        device,
      })),
    );
  });

  app.post('/logout', { onRequest: sameOrigin }, async (request, reply) => {
    // Without a session, the person is logged out already. No limit of requests keeps them logged in.
    const session = await sessions.find(cookies.session.read(request) ?? '');
    // The page of another person, who is logged out already.
    if (session && !isRequestedFor(request, session.userId)) return reply.code(204).send();
    if (session) await sessions.end(session.idHash);
    cookies.session.clear(reply);
    return reply.code(204).send();
  });

  app.delete('/sessions', { onRequest: sameOrigin }, async (request, reply) => {
    const { userId } = await requireSession(request);
    await sessions.endOfUser(userId);
    cookies.session.clear(reply);
    return reply.code(204).send();
  });

  app.delete<{ Params: { id: string } }>('/sessions/:id', { onRequest: sameOrigin }, async (request, reply) => {
    const { userId, publicId } = await requireSession(request);
    const { id } = request.params;
    await sessions.endOfUser(userId, id);
    if (id === publicId) cookies.session.clear(reply);
    return reply.code(204).send();
  });
}
