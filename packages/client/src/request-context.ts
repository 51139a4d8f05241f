import type { Operation, TRPCProcedureOptions } from '@trpc/client';

/** What one call can say and learn beside its input and its result. */
export interface RequestOptions {
  /** Change only what still has this entity tag, such as `"7"` with its quotes, or `*`. */
  readonly ifMatch?: string | undefined;
  /** Why the change is made: 1 to 512 characters. Kept with it. */
  readonly auditReason?: string | undefined;
  /** The id of the person that the application acts for. */
  readonly onBehalfOf?: string | undefined;
  /** Called with the entity tag of the record in the result. */
  readonly onEtag?: ((etag: string) => void) | undefined;
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The options of one call. Headers are for a whole request, so a call with such options is not batched.
 * @example
 * await client.guilds.update.mutate({ guild, prefix: '?' }, withRequest({ ifMatch: '"7"', auditReason: 'asked for' }));
 */
export function withRequest({ signal, ...request }: RequestOptions): TRPCProcedureOptions {
  return { context: { [KEY]: new RequestContext(request) }, ...(signal && { signal }) };
}

const KEY = 'guildSettingsRequest';

class RequestContext {
  readonly request: Omit<RequestOptions, 'signal'>;

  constructor(request: Omit<RequestOptions, 'signal'>) {
    this.request = request;
  }
}

/** What withRequest gave this call. */
export function requestOf(op: Operation): Omit<RequestOptions, 'signal'> | undefined {
  const context = op.context[KEY];
  return context instanceof RequestContext ? context.request : undefined;
}

/** The headers of a call that is sent alone. */
export function requestHeaders(op: Operation): Record<string, string> {
  const { ifMatch, auditReason, onBehalfOf } = requestOf(op) ?? {};
  return {
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    ...(auditReason !== undefined && { 'x-audit-log-reason': encodeURIComponent(auditReason) }),
    ...(onBehalfOf !== undefined && { 'x-on-behalf-of': onBehalfOf }),
  };
}
