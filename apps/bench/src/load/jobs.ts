/** What a load process is asked to do: so many seconds of one kind of request. */
export interface HttpJob {
  readonly kind: 'read' | 'conditional' | 'change';
  readonly origin: string;
  readonly token?: string;
  /** Which guilds; each connection has its own. */
  readonly ids: readonly string[];
  /** The first guild's revision; the next one's is one more. For conditional requests. */
  readonly firstRevision?: number;
  readonly connections: number;
  readonly seconds: number;
}

/** So many seconds of calls by the typed client, in batches. */
export interface TrpcJob {
  readonly origin: string;
  readonly token?: string;
  readonly ids: readonly string[];
  /** Calls in a request, and requests under way at a time. */
  readonly batch: number;
  readonly connections: number;
  readonly seconds: number;
}

/** What a load process tells in the end. */
export type LoadAnswer = { readonly perSecond: number } | { readonly error: string };
