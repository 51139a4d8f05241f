import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PrincipalLimit } from '../auth/limits.ts';
import { SessionOverError } from '../auth/session-tokens.ts';
import { endsOf, type Sessions } from '../auth/sessions.ts';
import type { Cookies, SessionRequests } from './session-requests.ts';

interface SessionRouteOptions {
  readonly sessions: Sessions;
  readonly requests: SessionRequests;
  readonly cookies: Cookies;
  readonly limit: PrincipalLimit;
}

const timeOf = (ms: number) => new Date(ms).toISOString();

/** Mounts the operations on one's own sessions: which they are, and ending them. */
export function mountSessions(app: FastifyInstance, { sessions, requests, cookies, limit }: SessionRouteOptions): void {
  const count = (userId: string) => limit.spendOf(userId);
  const ownSession = async (request: FastifyRequest) => {
    const session = await requests.find(request);
    count(session.userId);
    return session;
  };
  const clear = (reply: FastifyReply) => {
    cookies.session.clear(reply);
    cookies.person.clear(reply);
    return reply.code(204).send();
  };
  const route = { exposeHeadRoute: false, config: { takesSession: true } };

  // The page does not know yet whose it is.
  app.get('/session', route, async (request, reply) => {
    const id = requests.idOf(request);
    // A first visit is no failure, and browsers would log one.
    if (id === undefined) return reply.code(204).send();
    const session = await requests.findOfBrowser(request, id);
    count(session.userId);
    const { userId, userName: name, userAvatar: avatar, locale, startedAt } = session;
    const { idleUntil, until } = endsOf(session);
    return reply.send({
      user: { id: userId, name, avatar },
      locale,
      startedAt: timeOf(startedAt),
      idleUntil: timeOf(idleUntil),
      until: timeOf(until),
    });
  });

  app.get('/sessions', route, async (request, reply) => {
    const own = await ownSession(request);
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

  app.post('/logout', route, async (request, reply) => {
    try {
      // No limit of requests keeps a person logged in.
      const { idHash } = await requests.find(request);
      await sessions.end(idHash);
    } catch (error) {
      if (!(error instanceof SessionOverError)) throw error;
      // Of a person who is logged out already. The browser may have the session of another one.
      if ((await sessions.find(cookies.session.read(request) ?? '')) !== null) return reply.code(204).send();
    }
    return clear(reply);
  });

  app.delete('/sessions', route, async (request, reply) => {
    const { userId } = await ownSession(request);
    await sessions.endOfUser(userId);
    return clear(reply);
  });

  app.delete<{ Params: { id: string } }>('/sessions/:id', route, async (request, reply) => {
    const { userId, publicId } = await ownSession(request);
    const { id } = request.params;
    await sessions.endOfUser(userId, id);
    return id === publicId ? clear(reply) : reply.code(204).send();
  });
}
