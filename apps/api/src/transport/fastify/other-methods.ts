import { METHODS } from 'node:http';
import { ProblemError } from '@guild-settings/contract';
import type { FastifyInstance } from 'fastify';
import { sendProblem } from '../problems/send-problem.ts';

/**
 * Registers every method that Node can parse, so that an unsupported one is a 405 and not a 404. Fastify reads the body of
 * none of them: the transports read bodies themselves, after authorization.
 */
export function registerEveryMethod(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT') app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
}

/** Collects the methods of every route that is registered after this call, by path. */
export function collectMethods(app: FastifyInstance): ReadonlyMap<string, ReadonlySet<string>> {
  const methodsByUrl = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByUrl.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    methodsByUrl.set(url, methods);
  });
  return methodsByUrl;
}

/** Responds 204 to OPTIONS, and 405 to methods that a path does not support, both with `Allow`. */
export function mountOtherMethods(app: FastifyInstance, methodsByUrl: ReadonlyMap<string, ReadonlySet<string>>): void {
  for (const [url, methods] of [...methodsByUrl]) {
    const supported = new Set(methods);
    const allow = [...supported, 'OPTIONS'].sort().join(', ');
    const others = app.supportedMethods.filter((method) => !supported.has(method) && method !== 'OPTIONS');
    if (!supported.has('OPTIONS')) {
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
