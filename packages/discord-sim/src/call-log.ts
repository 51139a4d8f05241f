import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pathBelowApi } from './rest/path.ts';
import type { Clock } from './world/snowflake.ts';

const KEPT_CALLS = 10_000;
const KEPT_PATHS = 10_000;

/** A request that reached the simulator. Contains neither query, headers nor body, so never a token. */
export interface Call {
  readonly method: string;
  /** The path below `/api/v10`, without the query. Other paths are complete. */
  readonly path: string;
  /** `null` while there is no response, or when a fault prevents one. */
  readonly status: number | null;
  /** The time of arrival, in milliseconds since the Unix epoch. */
  readonly at: number;
}

/** Narrows a count; a path has to match entirely. */
export interface CallFilter {
  readonly method?: string;
  readonly path?: string;
}

type OpenCall = { -readonly [Key in keyof Call]: Call[Key] };

/** Counts calls on arrival, before they are handled, faulted or refused. */
export class CallLog {
  readonly #clock: Clock;
  #recent: OpenCall[] = [];
  #counts = new Map<string, Map<string, number>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls since the start or the last reset. Exact for the first 10,000 different paths, then only without `path`. */
  count({ method, path }: CallFilter = {}): number {
    let count = 0;
    for (const [countedPath, methods] of this.#counts) {
      if (path !== undefined && path !== countedPath) continue;
      for (const [countedMethod, times] of methods) {
        if (method === undefined || method === countedMethod) count += times;
      }
    }
    return count;
  }

  /** The last 10,000 calls, oldest first. */
  list(): Call[] {
    return this.#recent.map((call) => ({ ...call }));
  }

  reset(): void {
    this.#recent = [];
    this.#counts = new Map();
  }

  /**
   * Records an arriving call.
   *
   * @returns a function that records the response to the call
   * @internal
   */
  enter(method: string, path: string): (status: number) => void {
    const call: OpenCall = { method, path, status: null, at: this.#clock() };
    this.#recent.push(call);
    if (this.#recent.length > KEPT_CALLS) this.#recent.shift();
    this.#tally(call);
    return (status) => {
      call.status = status;
    };
  }

  #tally({ method, path }: OpenCall): void {
    const counted = this.#counts.has(path) || this.#counts.size < KEPT_PATHS ? path : '(other)';
    const methods = this.#counts.get(counted) ?? new Map<string, number>();
    methods.set(method, (methods.get(method) ?? 0) + 1);
    this.#counts.set(counted, methods);
  }
}

/** Records every request in the log. Must be added before any hook that may respond. */
export function recordCalls(app: FastifyInstance, calls: CallLog): void {
  const setStatus = new WeakMap<FastifyRequest, (status: number) => void>();

  app.addHook('onRequest', async (request) => {
    setStatus.set(request, calls.enter(request.method, pathBelowApi(request.url)));
  });

  app.addHook('onSend', async (request, reply) => {
    setStatus.get(request)?.(reply.statusCode);
  });
}
