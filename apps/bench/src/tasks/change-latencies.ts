import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { handleJobs } from './task.ts';

/** Some seconds of changes at a steady rate, however long the responses take. */
export interface LatencyJob {
  readonly origin: string;
  readonly token: string;
  readonly ids: readonly string[];
  readonly perSecond: number;
  readonly seconds: number;
}

/** Connections at most. Requests that are due while all are busy wait, and the wait counts. */
const CONNECTIONS = 64;

/** Returns the milliseconds of each request, from the time at which it was due to the end of the response. */
handleJobs<LatencyJob, number[]>(async (job) => {
  const { perSecond, seconds, ids } = job;
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  jobs += 1;
  const started = performance.now();
  const sent: Promise<number>[] = [];
  for (let count = 0; count < perSecond * seconds; count++) {
    const due = started + (count * 1_000) / perSecond;
    // Timers are late by a millisecond: the requests before the next tick are sent at their time or just after it.
    if (due > performance.now()) await delay(due - performance.now());
    sent.push(change(job, agent, ids[count % ids.length] ?? '', `${salt}-${jobs}-${count}`).then((end) => end - due));
  }
  const latencies = await Promise.all(sent);
  agent.destroy();
  return latencies;
});

/** Changes a guild, and returns the time of the response. */
function change({ origin, token }: LatencyJob, agent: Agent, id: string, prefix: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const outgoing = request(`${origin}/guilds/${id}`, { method: 'PATCH', headers, agent }, (response) => {
      response.on('error', reject).resume();
      response.on('end', () => {
        if (response.statusCode === 200) resolve(performance.now());
        else reject(new Error(`PATCH of ${id}: ${response.statusCode}`));
      });
    });
    outgoing.on('error', reject).end(JSON.stringify({ prefix }));
  });
}

/** Makes the values of this process and job differ from those of earlier ones. */
const salt = process.pid % 1_000_000;
let jobs = 0;
