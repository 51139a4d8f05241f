import { ProblemError, Snowflake } from '@guild-settings/contract';
import type { FastifyRequest } from 'fastify';
import type { Precondition } from '../../domain/record.ts';
import type { RequestInfo, Transport } from '../../operations/call.ts';
import type { RequestSession } from '../../page/session-requests.ts';
import { readAuditReason } from './audit-reason.ts';
import { readPrecondition } from './entity-tags.ts';
import { malformedHeader } from './malformed-header.ts';
import { readPreferredWait } from './preferred-wait.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The session that a request of the page has in place of a token. */
    session?: RequestSession;
  }
}

/**
 * The b64token of RFC 6750. The format that Discord's tokens have today is not required: Discord may change it.
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-2.1
 */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

/** Maximum characters of a token. A longer one is refused without a request to Discord. */
const MAX_TOKEN_LENGTH = 2_048;

export function bearerToken(authorization: string | undefined): string {
  const [, credentials] = /^bearer(?![^ ]) *(.*)$/i.exec(authorization ?? '') ?? [];
  if (credentials === undefined) throw new ProblemError('not-authenticated');
  if (credentials.length > MAX_TOKEN_LENGTH || !TOKEN.test(credentials)) throw new ProblemError('invalid-token');
  return credentials;
}

/**
 * Time that a client is waited for which has ended its half of the connection. It may still read: but a client that has closed
 * the whole connection looks the same until it is written to.
 */
const HALF_CLOSED_MS = 1_000;

export class HttpRequestInfo implements RequestInfo {
  readonly transport: Transport;
  readonly #request: FastifyRequest;
  readonly #calls: number;
  #endedAtMs: number | undefined;

  /** @param calls the number of calls in the request: more than one in a tRPC batch */
  constructor(request: FastifyRequest, transport: Transport, calls = 1) {
    this.#request = request;
    this.transport = transport;
    this.#calls = calls;
  }

  get url(): string {
    return this.#request.url;
  }

  clientIp(): string {
    return this.#request.ip;
  }

  isGone(): boolean {
    const { socket } = this.#request.raw;
    if (socket.destroyed) return true;
    if (!socket.readableEnded) return false;
    this.#endedAtMs ??= performance.now();
    return performance.now() - this.#endedAtMs > HALF_CLOSED_MS;
  }

  accessToken(): string {
    const { session, headers } = this.#request;
    return session?.token ?? bearerToken(headers.authorization);
  }

  async renewToken(): Promise<boolean> {
    return (await this.#request.session?.renew()) ?? false;
  }

  onBehalfOf(): Snowflake | undefined {
    const header = this.#header('x-on-behalf-of');
    if (header === undefined) return undefined;
    const { data } = Snowflake.safeParse(header);
    if (data === undefined) throw malformedHeader('X-On-Behalf-Of', "expected a user's id: 17 to 20 decimal digits");
    return data;
  }

  /** A batch cannot have conditions: headers apply to the whole request, and ignoring them would drop a protection. */
  precondition(): Precondition | undefined {
    const ifMatch = this.#header('if-match');
    const ifNoneMatch = this.#header('if-none-match');
    if (ifMatch === undefined && ifNoneMatch === undefined) return undefined;
    const precondition = readPrecondition({ ifMatch, ifNoneMatch });
    if (this.#calls === 1) return precondition;
    throw new ProblemError('invalid-request', {
      detail: 'If-Match and If-None-Match apply to one call. Send the call unbatched.',
    });
  }

  preferredWait(): number | undefined {
    const header = this.#calls === 1 ? this.#header('prefer') : undefined;
    return header === undefined ? undefined : readPreferredWait(header);
  }

  wantsNewResult(): boolean {
    return /(?:^|[,\s])(?:no-cache|max-age=0)(?=[,\s]|$)/i.test(this.#header('cache-control') ?? '');
  }

  auditReason(): string | null {
    const header = this.#header('x-audit-log-reason');
    return header === undefined ? null : readAuditReason(header);
  }

  #header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }
}
