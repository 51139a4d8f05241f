import { ProblemError, Snowflake } from '@guild-settings/contract';
import type { FastifyRequest } from 'fastify';
import type { Precondition } from '../../domain/precondition.ts';
import type { RequestInfo, Transport } from '../../operations/call.ts';
import { readAuditReason } from './audit-reason.ts';
import { bearerToken } from './bearer-token.ts';
import { readPrecondition } from './entity-tags.ts';
import { malformedHeader } from './malformed-header.ts';

/** The facts of a Fastify request. */
export class HttpRequestInfo implements RequestInfo {
  readonly transport: Transport;
  readonly #request: FastifyRequest;
  readonly #calls: number;

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

  accessToken(): string {
    return bearerToken(this.#request.headers.authorization);
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

  auditReason(): string | null {
    const header = this.#header('x-audit-log-reason');
    return header === undefined ? null : readAuditReason(header);
  }

  #header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }
}
