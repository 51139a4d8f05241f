import {
  nextBefore,
  type ReceivedArrival,
  type RequestOptions,
  readArrival,
  requestHeaders,
  withRequest,
} from '@guild-settings/client/browser';
import type { Operation, Operations } from '@guild-settings/contract/operations';
import { ResponseError } from './failure.ts';
import { queryAddress, receiveJson } from './requests.ts';

type Group = keyof Operations & string;

type Names<Type extends string> = {
  [In in Group]: {
    [Name in keyof Operations[In] & string]: Operations[In][Name] extends { readonly type: Type }
      ? `${In}.${Name}`
      : never;
  }[keyof Operations[In] & string];
}[Group];

type TypesOf<Name extends string> = Name extends `${infer In extends Group}.${infer Own}`
  ? Operations[In][Own & keyof Operations[In]] extends Operation<infer _Type, infer _Access, infer Types>
    ? Types
    : never
  : never;

export type InputOf<Name extends string> = TypesOf<Name>['sent'];
export type ResultOf<Name extends string> = TypesOf<Name>['result'];

/** Seconds that the service waits until an undo, a restore, an import or an erasure is in use, before it responds. */
export const REVERT_WAIT_SECONDS = 2;

export interface Received<T> {
  readonly data: T;
  readonly etag: string | undefined;
  readonly arrival: ReceivedArrival | undefined;
  /** With a part of a history: the next part is before this revision. */
  readonly before: number | undefined;
}

/**
 * Reads from the service over tRPC's HTTP protocol. tRPC's client is not on the page: it is larger than what the page needs of it.
 * @see https://trpc.io/docs/rpc
 * @throws ResponseError or the error of `fetch`
 * @example
 * const { data, etag } = await sendQuery('guilds.get', { guild }, { signal });
 */
export function sendQuery<Name extends Names<'query'>>(name: Name, input: InputOf<Name>, request?: RequestOptions) {
  const search = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`;
  return call<ResultOf<Name>>(queryAddress(`/trpc/${name}${search}`), request);
}

/**
 * Calls an operation of the service that changes something.
 * @throws ResponseError or the error of `fetch`
 * @example
 * const { arrival } = await sendMutation('guilds.update', { guild, prefix: '?' }, { ifMatch: '"7"', waitSeconds: 5 });
 */
export function sendMutation<Name extends Names<'mutation'>>(
  name: Name,
  input: InputOf<Name>,
  request?: RequestOptions,
) {
  const headers = { 'content-type': 'application/json' };
  return call<ResultOf<Name>>(`/trpc/${name}`, request, { method: 'POST', body: JSON.stringify(input), headers });
}

async function call<T>(address: string, request: RequestOptions = {}, init: RequestInit = {}): Promise<Received<T>> {
  const { response, body } = await receiveJson(address, {
    ...init,
    headers: { ...init.headers, ...requestHeaders(withRequest(request)) },
    ...(request.signal && { signal: request.signal }),
  });
  const { result } = (body ?? {}) as { readonly result?: { readonly data: T } };
  // A proxy has responded in the place of the service.
  if (result === undefined) throw new ResponseError(response, body);
  const { headers } = response;
  return {
    data: result.data,
    etag: headers.get('etag') ?? undefined,
    arrival: readArrival(headers.get('arrival') ?? ''),
    before: nextBefore(headers.get('link') ?? ''),
  };
}
