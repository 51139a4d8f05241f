import type { TRPCProcedureOptions } from '@trpc/client';
import type { TokenSource } from './token-source.ts';

/** The state of a change, from the header `Arrival`. */
export interface ReceivedArrival {
  /** `live`, `pending`, `rejected`, `away`, or a state added by a later version of the service. */
  readonly state: string;
  /** Milliseconds from the commit until the last process had the change; absent: unknown. */
  readonly latencyMs?: number;
  /** The number of connected processes that have the change; absent without `away`. */
  readonly processes?: number;
  /** The number of processes that are gone without a leave, for which changes do not wait; absent: none. */
  readonly away?: number;
}

export interface RequestOptions {
  /** The access token of this call, or its source, instead of the client's: for a server that calls for many people. */
  readonly token?: string | TokenSource | undefined;
  /** Changes the record only if it has this entity tag, such as `"7"` with its quotes, or `*`. */
  readonly ifMatch?: string | undefined;
  /** The reason for the change log: 1 to 512 characters. */
  readonly auditReason?: string | undefined;
  /**
   * The id of the user whom the history names as the author of the application's change. **The service does not check
   * that this user may change the guild**: call `mayManageGuild` first.
   */
  readonly onBehalfOf?: string | undefined;
  /** Seconds, up to 10, for which the service waits until the change is in use in every connected process that follows the guild. */
  readonly waitSeconds?: number | undefined;
  /** Additional request headers, such as `cache-control`. They override the options above. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Called with the response headers, including those of a refusal. */
  readonly onHeaders?: ((headers: Headers) => void) | undefined;
  /** Called with the arrival state of the change, if `waitSeconds` is given and the service knows it. */
  readonly onArrival?: ((arrival: ReceivedArrival) => void) | undefined;
  /** Called with the entity tag of the record in the result. */
  readonly onEtag?: ((etag: string) => void) | undefined;
  /** Called when the history continues after the result: the next part is before this revision. */
  readonly onNext?: ((before: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the tRPC options of one call. Headers belong to a whole request, so a call with these options is not batched.
 * @example
 * await client.guilds.update.mutate({ guild, prefix: '?' }, withRequest({ ifMatch: '"7"', auditReason: 'asked for' }));
 */
export function withRequest({ signal, ...request }: RequestOptions): TRPCProcedureOptions {
  return { context: { [KEY]: request }, ...(signal && { signal }) };
}

const KEY = 'guildSettingsRequest';

/** An operation of tRPC's client, or the options of a call: what has a context. */
type Called = Pick<TRPCProcedureOptions, 'context'>;

/**
 * Returns the options of a call, including those created by another copy of this module, which a package may contain.
 */
export function requestOf(op: Called): Omit<RequestOptions, 'signal'> | undefined {
  const request = op.context?.[KEY];
  return typeof request === 'object' && request !== null ? request : undefined;
}

export function requestHeaders(op: Called): Record<string, string> {
  const { ifMatch, auditReason, onBehalfOf, waitSeconds, headers } = requestOf(op) ?? {};
  return {
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    ...(auditReason !== undefined && { 'x-audit-log-reason': encodeURIComponent(auditReason) }),
    ...(onBehalfOf !== undefined && { 'x-on-behalf-of': onBehalfOf }),
    ...(waitSeconds !== undefined && { prefer: `wait=${waitSeconds}` }),
    ...headers,
  };
}
