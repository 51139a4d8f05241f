import { percentile } from '../statistics.ts';
import { type HttpConnection, openConnection } from './http-connection.ts';
import { type HttpRequests, requestsOf } from './http-requests.ts';
import { handleJobs } from './task.ts';

/** Requests over some connections: each sends its next request after the response. */
export interface HttpLoad extends HttpRequests {
  readonly connections: number;
  /** Milliseconds between a response and the next request; none unless given. */
  readonly pauseMs?: number;
}

export interface HttpJob {
  readonly loads: readonly HttpLoad[];
  readonly seconds: number;
}

export interface LoadReport {
  readonly requests: number;
  readonly perSecond: number;
  readonly p99Ms: number;
  /** The part of a core that the process of the load used: above 0.9 it may have been the bound. */
  readonly cores: number;
}

handleJobs<HttpJob, LoadReport[]>(async ({ loads, seconds }) => {
  const started = performance.now();
  const before = process.cpuUsage();
  const reports = await Promise.all(loads.map((load) => run(load, seconds)));
  const { user, system } = process.cpuUsage(before);
  const cores = (user + system) / 1_000 / (performance.now() - started);
  return reports.map((report) => ({ ...report, cores }));
});

async function run(load: HttpLoad, seconds: number): Promise<Omit<LoadReport, 'cores'>> {
  let fail: (error: Error) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => {});
  const opening = Array.from({ length: load.connections }, () => openConnection(load.origin, fail));
  const connections = await Promise.all(opening);
  const nextRequest = requestsOf(load);
  const times: number[] = [];
  const started = performance.now();
  const until = started + seconds * 1_000;
  const repeat = (connection: HttpConnection) =>
    new Promise<void>((resolve) => {
      const next = () => {
        const sent = performance.now();
        if (sent >= until) return resolve();
        connection.send(nextRequest(), (status) => {
          if (status !== 200) return fail(new Error(`Expected 200 of ${load.origin}, received ${status}`));
          times.push(performance.now() - sent);
          if (load.pauseMs === undefined) next();
          else setTimeout(next, load.pauseMs);
        });
      };
      next();
    });
  try {
    await Promise.race([Promise.all(connections.map(repeat)), failed]);
  } finally {
    for (const connection of connections) connection[Symbol.dispose]();
  }
  const perSecond = (times.length * 1_000) / (performance.now() - started);
  return { requests: times.length, perSecond, p99Ms: percentile(times, 0.99) };
}
