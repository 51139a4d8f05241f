import { METHODS } from 'node:http';
import { ProblemError } from '@guild-settings/contract';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Cors } from '../headers/cors.ts';
import { sendProblem } from '../problems/send-problem.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Returns whether a path that matches the route exists, for the methods that the route does not support. Default: yes. */
    readonly isListed?: (params: unknown) => boolean;
  }
}

/**
 * Registers every method that Node can parse, so that an unsupported one is a 405 and not a 404. Fastify reads the body of
 * none of them: the transports read bodies themselves, after authorization.
 */
export function registerEveryMethod(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT') app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
}

interface CollectedPath {
  readonly methods: Set<string>;
  readonly config: FastifyContextConfig;
}

/** Collects the methods of every route that is registered after this call, by path. */
export function collectMethods(app: FastifyInstance): ReadonlyMap<string, CollectedPath> {
  const paths = new Map<string, CollectedPath>();
  app.addHook('onRoute', ({ url, method, config = {} }) => {
    const path = paths.get(url) ?? { methods: new Set(), config };
    for (const name of [method].flat()) path.methods.add(name);
    paths.set(url, path);
  });
  return paths;
}

/** Responds 204 to OPTIONS, and 405 to methods that a path does not support, both with `Allow`. */
export function mountOtherMethods(app: FastifyInstance, paths: ReadonlyMap<string, CollectedPath>, cors: Cors): void {
  for (const [url, { methods, config }] of [...paths]) {
    const supported = new Set(methods);
    const allow = [...supported, 'OPTIONS'].sort().join(', ');
    const others = app.supportedMethods.filter((method) => !supported.has(method));
    const { isListed = () => true } = config;
    const handler = (request: FastifyRequest, reply: FastifyReply) => {
      const isOptions = request.method === 'OPTIONS';
      if (isListed(request.params)) {
        reply.header('allow', allow);
        return isOptions ? reply.code(204).send() : sendProblem(reply, new ProblemError('method-not-allowed'));
      }
      const isPreflight = isOptions && cors.isAllowed(request.headers.origin);
      return isPreflight ? reply.code(204).send() : sendProblem(reply, new ProblemError('not-found'));
    };
    if (others.length > 0) app.route({ url, method: others, handler });
  }
}
