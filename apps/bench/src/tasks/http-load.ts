import { setTimeout as delay } from 'node:timers/promises';
import { type HttpConnection, openConnection } from './http-connection.ts';
import { type HttpRequests, requestsOf } from './http-requests.ts';
import { handleJobs } from './task.ts';

/** Requests over some connections, one at a time over each. */
export interface HttpLoad extends HttpRequests {
  readonly connections: number;
  /**
   * Requests are due at this rate, however long responses take, and the time of a request begins when it is due. Unless given, a
   * connection sends its next request after the response.
   */
  readonly perSecond?: number;
}

/** Some seconds of loads at the same time. */
export interface HttpJob {
  readonly loads: readonly HttpLoad[];
  readonly seconds: number;
}

/** What a load has measured. */
export interface LoadReport {
  readonly requests: number;
  readonly perSecond: number;
  /** Milliseconds to a response: the median, the 99th percentile, and the longest. */
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** The part of a core that the process of the load used: above 0.9 it may have been the bound. */
  readonly cores: number;
}

/** Returns a report of each load. */
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
  const connections = await Promise.all(
    Array.from({ length: load.connections }, () => openConnection(load.origin, fail)),
  );
  const nextRequest = requestsOf(load);
  const expected = load.kind === 'conditional' && load.caller !== undefined ? 304 : 200;
  const times: number[] = [];
  const send: Send = (connection, due, onResponse) =>
    connection.send(nextRequest(), (status) => {
      if (status !== expected) fail(new Error(`Expected ${expected} of ${load.origin}, received ${status}`));
      times.push(performance.now() - due);
      onResponse();
    });
  const started = performance.now();
  const until = started + seconds * 1_000;
  try {
    const sent =
      load.perSecond === undefined ? repeat(connections, send, until) : pace(connections, send, until, load.perSecond);
    await Promise.race([sent, failed]);
  } finally {
    for (const connection of connections) connection[Symbol.dispose]();
  }
  return report(times, performance.now() - started);
}

type Send = (connection: HttpConnection, due: number, onResponse: () => void) => void;

/** Sends the next request over each connection as soon as the last one was responded to. */
function repeat(connections: readonly HttpConnection[], send: Send, until: number): Promise<void> {
  return new Promise((resolve) => {
    let busy = connections.length;
    const next = (connection: HttpConnection) => {
      const now = performance.now();
      if (now < until) send(connection, now, () => next(connection));
      else if (--busy === 0) resolve();
    };
    for (const connection of connections) next(connection);
  });
}

/** Sends requests when they are due, or as soon as a connection is free. */
async function pace(
  connections: readonly HttpConnection[],
  send: Send,
  until: number,
  perSecond: number,
): Promise<void> {
  const free = [...connections];
  const waiting: number[] = [];
  let onFree = () => {};
  const next = (connection: HttpConnection) => {
    const due = waiting.shift();
    if (due !== undefined) return send(connection, due, () => next(connection));
    free.push(connection);
    onFree();
  };
  for (let due = performance.now(); due < until; due += 1_000 / perSecond) {
    // Timers are late by a millisecond: the requests before the next tick are sent at their time or just after it.
    if (due > performance.now()) await delay(due - performance.now());
    waiting.push(due);
    const connection = free.pop();
    if (connection !== undefined) next(connection);
  }
  await new Promise<void>((resolve) => {
    onFree = () => free.length === connections.length && resolve();
    onFree();
  });
}

function report(times: readonly number[], milliseconds: number): Omit<LoadReport, 'cores'> {
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
  return {
    requests: sorted.length,
    perSecond: (sorted.length / milliseconds) * 1_000,
    medianMs: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
  };
}
