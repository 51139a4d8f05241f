import { AuditReason, LIMITS, ProblemError, Snowflake } from '@guild-settings/contract';
import type { FastifyRequest } from 'fastify';
import type { EntityTag, Precondition } from '../domain/record.ts';
import type { RequestInfo, Transport } from '../operations/call.ts';
import type { RequestSession } from '../page/session-routes.ts';

declare module 'fastify' {
  interface FastifyRequest {
    session?: RequestSession;
  }
}

/**
 * The b64token of RFC 6750. The present format of Discord's tokens is not required, because Discord may change it.
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
 * Time to wait for a client that has closed its half of the connection. It may still read, but a client that has closed
 * the entire connection looks the same until data is sent to it.
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

  /**
   * A batch cannot have preconditions: headers apply to the whole request, and ignoring them would drop a protection.
   */
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

interface ConditionalHeaders {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

const TAG = /(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/y;
const EXPECTED = 'expected * or entity tags in double quotes, such as "7", as the ETag header gave them';

/** Empty list elements, which recipients ignore (RFC 9110, section 5.6.1). */
const EMPTY_ELEMENTS = /[ \t,]*/y;
const ANY_TAG = /\*[ \t,]*/y;
const SEPARATOR = /[ \t]*(?:,[ \t,]*|$)/y;

/**
 * Parses the conditions of a request.
 * @throws ProblemError invalid-request when a header is neither `*` nor a list of quoted entity tags
 */
export function readPrecondition(headers: ConditionalHeaders): Precondition | undefined {
  const ifMatch = readTags('If-Match', headers.ifMatch);
  const ifNoneMatch = readTags('If-None-Match', headers.ifNoneMatch);
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined;
  return { ...(ifMatch && { ifMatch }), ...(ifNoneMatch && { ifNoneMatch }) };
}

function readTags(header: string, value: string | undefined): '*' | EntityTag[] | undefined {
  if (value === undefined) return undefined;
  if (value.length > LIMITS.conditionHeader) {
    throw malformedHeader(header, `expected at most ${LIMITS.conditionHeader} characters`);
  }
  const start = endOf(EMPTY_ELEMENTS, value, 0) ?? 0;
  if (endOf(ANY_TAG, value, start) === value.length) return '*';
  const tags: EntityTag[] = [];
  let at = start;
  while (at < value.length) {
    TAG.lastIndex = at;
    const match = TAG.exec(value);
    if (match === null) throw malformedHeader(header, EXPECTED);
    tags.push({ value: match[1] ?? '' });
    const end = endOf(SEPARATOR, value, TAG.lastIndex);
    if (end === undefined) throw malformedHeader(header, EXPECTED);
    at = end;
  }
  if (tags.length === 0) throw malformedHeader(header, EXPECTED);
  return tags;
}

/** Returns the end of a match that begins at an index, in linear time; undefined: no match. */
function endOf(pattern: RegExp, value: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(value) ? pattern.lastIndex : undefined;
}

const PREFERENCES = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g;

const WAIT = /^[ \t]*wait[ \t]*(?=[=;]|$)/i;

/** The value of the preference before its parameters: a quoted string, or a token with white space. */
const VALUE = /^=(?:[ \t]*"((?:[^"\\]|\\.)*)"[ \t]*|([^";]*))(?:;|$)/;

/**
 * Returns the preferred wait in seconds, at most the supported maximum. Only the first preference of the name counts,
 * and invalid values are ignored, as the standard requires.
 * @see https://www.rfc-editor.org/rfc/rfc7240#section-2
 */
export function readPreferredWait(header: string): number | undefined {
  for (const [preference] of header.matchAll(PREFERENCES)) {
    const [name] = WAIT.exec(preference) ?? [];
    if (name === undefined) continue;
    const [, quoted, token] = VALUE.exec(preference.slice(name.length)) ?? [];
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? token?.trim() ?? '';
    return /^\d+$/.test(value) ? Math.min(LIMITS.waitSeconds, Number(value)) : undefined;
  }
  return undefined;
}

const HEADER = 'X-Audit-Log-Reason';

/**
 * Decodes a reason for the change log: URL-encoded UTF-8, as in Discord's header of the same name.
 * @see https://docs.discord.com/developers/resources/audit-log
 * @throws ProblemError invalid-request when it is not URL-encoded, too long, or not plain text
 */
function readAuditReason(header: string): string {
  if (header.length > LIMITS.reasonHeader) {
    throw malformedHeader(HEADER, `expected at most ${LIMITS.reason} characters before URL encoding`);
  }
  const { data, error } = AuditReason.safeParse(decode(header));
  if (data === undefined) throw malformedHeader(HEADER, error?.issues[0]?.message ?? 'expected text');
  return data;
}

function decode(header: string): string {
  try {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: only printable ASCII is URL-encoded
    if (/[^\x00-\x7f]/.test(header)) throw new URIError('not ASCII');
    return decodeURIComponent(header);
  } catch {
    throw malformedHeader(HEADER, 'expected URL-encoded UTF-8, such as made%20by%20hand');
  }
}

function malformedHeader(name: string, expected: string): ProblemError {
  return new ProblemError('invalid-request', {
    detail: `The header ${name} is malformed: ${expected}.`,
    issues: [{ path: [name], pointer: `/${name}`, message: expected }],
  });
}
