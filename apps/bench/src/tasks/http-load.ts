import autocannon from 'autocannon';
import { handleJobs } from './task.ts';

/** Some seconds of one kind of request, as fast as the server responds. */
export interface HttpJob {
  readonly kind: 'read' | 'conditional' | 'change' | 'paths';
  readonly origin: string;
  readonly token?: string;
  /** The guilds, divided among the connections. */
  readonly ids: readonly string[];
  /** For the kind `paths`: what to read instead of the records of the guilds. */
  readonly paths?: readonly string[];
  /** For conditional requests: the revision of the first guild; those of the others follow. */
  readonly firstRevision?: number;
  readonly connections: number;
  readonly seconds: number;
}

/** A round of this length without a response is a failure. */
const MAX_SILENT_SECONDS = 5;

/** Returns successful requests per second. */
handleJobs<HttpJob, number>(load);

async function load(job: HttpJob): Promise<number> {
  const { kind, origin, connections, seconds } = job;
  jobs += 1;
  let connection = 0;
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    // Samples of 100 ms, so that the rate is not one of whole seconds.
    sampleInt: 100,
    setupClient(client) {
      client.setRequests(requestsOf(job, connection));
      connection += 1;
    },
  });
  const expected = kind === 'conditional' && job.firstRevision !== undefined ? '304' : '200';
  const { statusCodeStats = {}, errors, timeouts } = result;
  const others = Object.keys(statusCodeStats).filter((status) => status !== expected);
  const count = statusCodeStats[expected]?.count ?? 0;
  const isSilent = Object.keys(statusCodeStats).length === 0 && errors === 0 && timeouts === 0;
  // On a machine that is busy, a short round may end before the first response.
  if (isSilent && seconds < MAX_SILENT_SECONDS) return load({ ...job, seconds: 2 * seconds });
  if (others.length > 0 || errors > 0 || timeouts > 0 || count === 0) {
    throw new Error(`${kind} of ${origin}: ${JSON.stringify({ statusCodeStats, errors, timeouts })}`);
  }
  return count / result.duration;
}

/** Returns the requests that one connection repeats. No two connections request the same guild. */
function requestsOf({ kind, ids, paths = [], token, firstRevision = 0, connections }: HttpJob, connection: number) {
  const share = <T>(all: readonly T[]) => all.filter((_, index) => index % connections === connection % all.length);
  const own = share(ids.map((id, index) => ({ id, revision: firstRevision + index })));
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  switch (kind) {
    case 'read':
      return own.map(({ id }) => ({ method: 'GET' as const, path: `/guilds/${id}`, headers: authorization }));
    case 'paths':
      return share(paths).map((path) => ({ method: 'GET' as const, path, headers: authorization }));
    case 'conditional':
      return own.map(({ id, revision }) => ({
        method: 'GET' as const,
        path: `/guilds/${id}`,
        headers: { ...authorization, 'if-none-match': `"${revision}"` },
      }));
    case 'change':
      // Alternating values, so that every request changes the record.
      return ['a', 'b'].flatMap((prefix) =>
        own.map(({ id }) => ({
          method: 'PATCH' as const,
          path: `/guilds/${id}`,
          headers: { ...authorization, 'content-type': 'application/json' },
          body: JSON.stringify({ prefix: `${prefix}${salt}-${jobs}` }),
        })),
      );
  }
}

/** Makes the values of this process and job differ from those of earlier ones. */
const salt = process.pid % 1_000_000;
let jobs = 0;
