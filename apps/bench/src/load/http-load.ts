import autocannon from 'autocannon';
import type { HttpJob, LoadAnswer } from './jobs.ts';

/** A program that asks a server over HTTP as fast as it answers, each time it is told to. */
process.on('message', (job: HttpJob) => {
  void answer(job).then((result) => process.send?.(result));
});

async function answer(job: HttpJob): Promise<LoadAnswer> {
  try {
    return { perSecond: await load(job) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

async function load(job: HttpJob): Promise<number> {
  const { kind, origin, connections, seconds } = job;
  jobs += 1;
  let connection = 0;
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    // Counted over the time it took, not by whole seconds.
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
  if (others.length > 0 || errors > 0 || timeouts > 0 || count === 0) {
    throw new Error(`${kind} of ${origin}: ${JSON.stringify({ statusCodeStats, errors, timeouts })}`);
  }
  return count / result.duration;
}

/** The requests that one connection makes in turn. No two connections ask for the same guild. */
function requestsOf({ kind, ids, token, firstRevision = 0, connections }: HttpJob, connection: number) {
  const own = ids
    .map((id, index) => ({ id, revision: firstRevision + index }))
    .filter((_, index) => index % connections === connection);
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  switch (kind) {
    case 'read':
      return own.map(({ id }) => ({ method: 'GET' as const, path: `/guilds/${id}`, headers: authorization }));
    case 'conditional':
      return own.map(({ id, revision }) => ({
        method: 'GET' as const,
        path: `/guilds/${id}`,
        headers: { ...authorization, 'if-none-match': `"${revision}"` },
      }));
    case 'change':
      // Each time another value than the last, so that there is something to write.
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

/** Of this process and its jobs, so that each changes what those before it left. */
const salt = process.pid % 1_000_000;
let jobs = 0;
