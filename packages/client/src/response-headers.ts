import type { TRPCLink } from '@trpc/client';
import { tap } from '@trpc/server/observable';
import type { AppRouter } from './app-router.ts';
import { type ReceivedArrival, type RequestOptions, requestOf } from './request-context.ts';

/** Reads the header `Arrival`; undefined for another form. */
export function readArrival(header: string): ReceivedArrival | undefined {
  const [, state, parameters = ''] = /^([\w-]+) *(?:$|;(.*))/.exec(header) ?? [];
  if (state === undefined) return undefined;
  const numberOf = (parameter: string, field: keyof ReceivedArrival) => {
    const [, digits] = new RegExp(`(?:^|;) *${parameter}=(\\d{1,15}) *(?:;|$)`).exec(parameters) ?? [];
    return digits !== undefined && { [field]: Number(digits) };
  };
  return {
    state,
    ...numberOf('latency', 'latencyMs'),
    ...numberOf('processes', 'processes'),
    ...numberOf('away', 'away'),
  };
}

/**
 * Returns the parameter `before` of the link to the next part of a history.
 * @see https://www.rfc-editor.org/rfc/rfc8288
 */
export function nextBefore(link: string): number | undefined {
  const [, target] = /<([^>]*)>;\s*rel="next"/.exec(link) ?? [];
  const before = new URLSearchParams(target?.split('?')[1]).get('before');
  return before !== null && /^\d+$/.test(before) ? Number(before) : undefined;
}

/** The part of a result or error of tRPC's client that contains the response. */
type ResponseMeta = { readonly response?: unknown } | undefined;

/** Passes headers of the response to the `onHeaders`, `onEtag`, `onArrival` and `onNext` of a call. */
export const responseHeadersLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    next(op).pipe(tap(headersObserver(requestOf(op) ?? {})));

export function headersObserver({ onHeaders, onEtag, onArrival, onNext }: RequestOptions) {
  return {
    next({ context }: { readonly context?: ResponseMeta }) {
      const headers = headersOf(context);
      if (headers === undefined) return;
      onHeaders?.(headers);
      const etag = headers.get('etag');
      if (etag !== null) onEtag?.(etag);
      const arrival = readArrival(headers.get('arrival') ?? '');
      if (arrival !== undefined) onArrival?.(arrival);
      const before = nextBefore(headers.get('link') ?? '');
      if (before !== undefined) onNext?.(before);
    },
    error({ meta }: { readonly meta?: ResponseMeta }) {
      const headers = headersOf(meta);
      if (headers !== undefined) onHeaders?.(headers);
    },
  };
}

function headersOf(meta: ResponseMeta): Headers | undefined {
  return (meta?.response as Partial<Pick<Response, 'headers'>> | undefined)?.headers;
}
