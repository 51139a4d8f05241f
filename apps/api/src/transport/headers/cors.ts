import { type IncomingHttpHeaders, METHODS } from 'node:http';

/** Response headers that scripts may read, beyond the safelisted ones. */
const EXPOSED = [
  'Age',
  'Accept-Patch',
  'Allow',
  'Arrival',
  'Deprecation',
  'ETag',
  'Guild-Settings-Version',
  'Link',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');

const OPERATION_METHODS = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'];

const MAX_AGE_SECONDS = '600';

/**
 * Cross-origin access for pages of these origins. Every response is written with these headers, also one that Fastify does
 * not send: without them a page receives a network error instead of the status.
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export class Cors {
  readonly #origins: ReadonlySet<string>;
  readonly hasPage: boolean;

  /** @param hasPage true: this origin has cookies that open something, so pages of other origins are not allowed to send credentials */
  constructor(origins: readonly string[], hasPage: boolean) {
    this.#origins = new Set(origins);
    this.hasPage = hasPage;
  }

  /** The origin of a request that could not be read, if only one origin is allowed. */
  get onlyOrigin(): string | undefined {
    const [origin, ...others] = this.#origins;
    return others.length === 0 ? origin : undefined;
  }

  isAllowed(origin: string | undefined): origin is string {
    return origin !== undefined && this.#origins.has(origin);
  }

  /** Returns the headers of a response. `Vary` is set for every origin, so that caches separate them. */
  headers(origin: string | undefined): Record<string, string> {
    if (this.#origins.size === 0) return {};
    return {
      vary: 'Authorization, Origin',
      ...(!this.hasPage && { 'access-control-allow-credentials': 'true' }),
      'access-control-expose-headers': EXPOSED,
      ...(this.isAllowed(origin) && { 'access-control-allow-origin': origin }),
    };
  }

  /**
   * Returns the further headers of the response to OPTIONS from an allowed origin. They allow whichever method and headers
   * the page announces: the service refuses what it does not support itself, with a status that the page can read.
   */
  preflightHeaders(request: IncomingHttpHeaders): Record<string, string> {
    const { 'access-control-request-method': method = '', 'access-control-request-headers': names } = request;
    const methods = METHODS.includes(method) ? new Set([...OPERATION_METHODS, method]) : OPERATION_METHODS;
    return {
      vary: 'Authorization, Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
      'access-control-allow-methods': [...methods].join(', '),
      'access-control-max-age': MAX_AGE_SECONDS,
      ...(names !== undefined && { 'access-control-allow-headers': names }),
    };
  }
}
