import { METHODS } from 'node:http';
import { ProblemError } from '@guild-settings/contract';
import type { FastifyInstance } from 'fastify';
import { sendProblem } from '../problems/send-problem.ts';

/**
 * Lets the application answer every method that Node can read, so that an odd one is a 405 rather than a 404. Fastify is
 * told that none of them has a body: each door reads its own, when it is the body's turn.
 */
export function knowEveryMethod(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT') app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
}

/** Collects the methods of every address registered from here on. */
export function collectMethods(app: FastifyInstance): ReadonlyMap<string, ReadonlySet<string>> {
  const methodsByUrl = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByUrl.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    methodsByUrl.set(url, methods);
  });
  return methodsByUrl;
}

/** Answers OPTIONS with 204, and every method that an address does not take with 405; both say what it takes. */
export function answerOtherMethods(app: FastifyInstance, methodsByUrl: ReadonlyMap<string, ReadonlySet<string>>): void {
  for (const [url, methods] of [...methodsByUrl]) {
    const taken = new Set(methods);
    const allow = [...taken, 'OPTIONS'].sort().join(', ');
    const others = app.supportedMethods.filter((method) => !taken.has(method) && method !== 'OPTIONS');
    if (!taken.has('OPTIONS')) {
      app.options(url, (_request, reply) => reply.code(204).header('allow', allow).send());
    }
    if (others.length === 0) continue;
    app.route({
      url,
      method: others,
      handler: (_request, reply) => sendProblem(reply.header('allow', allow), new ProblemError('method-not-allowed')),
    });
  }
}
