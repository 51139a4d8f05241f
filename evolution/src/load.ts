import http from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '@guild-settings/testing';
import { freshGuild, revisionIn, TOKEN } from './world.ts';

/** A change that the service has acknowledged. */
export interface Acknowledged {
  readonly guild: string;
  readonly prefix: string;
  readonly revision: number;
}

/** Callers that write and read in turn, without a pause, and what became of their requests. */
export interface Load {
  answered(): number;
  /** Waits for 250 more responses. */
  more(): Promise<void>;
  /** The longest time between two responses, in milliseconds. */
  longestPauseMs(): number;
  /** The changes, in the order of their responses. */
  readonly acknowledged: readonly Acknowledged[];
  /** Requests that failed, and reads that did not have the write before. */
  readonly failures: readonly string[];
  /** Lets the running requests finish. */
  stop(): Promise<void>;
}

const REQUESTS = 250;

const CALLERS = 8;

/** More than one, so that a watcher has more to do than to follow the newest change of one guild. */
const GUILDS_OF_CALLER = 12;

/** Time after a failure: nothing listens while a process is replaced. */
const RETRY_MS = 10;

const REQUEST_TIMEOUT_MS = 30_000;

/**
 * Starts to send requests to a service. Each write has a value of its own, and is repeated until it is acknowledged, so that a guild's
 * history has each value once.
 * @param ca the certificate of an HTTPS address
 */
export function startLoad(url: string, ca?: Buffer): Load {
  const send = sender(url, ca);
  const acknowledged: Acknowledged[] = [];
  const failures: string[] = [];
  let [answered, longestPauseMs, lastAt] = [0, 0, performance.now()];
  let isStopped = false;

  /** Sends a request until it succeeds. */
  async function succeed(method: string, path: string, body?: object): Promise<Answer> {
    for (;;) {
      const answer = await send(method, path, body).catch((error: Error) => ({ ...NO_ANSWER, body: error.message }));
      if (answer.status === 200) {
        const now = performance.now();
        answered += 1;
        longestPauseMs = Math.max(longestPauseMs, now - lastAt);
        lastAt = now;
        return answer;
      }
      failures.push(`${method} ${path}: ${answer.status} ${answer.body}`);
      await delay(RETRY_MS);
    }
  }

  async function call(caller: number): Promise<void> {
    const guilds = Array.from({ length: GUILDS_OF_CALLER }, freshGuild);
    for (let count = 0; !isStopped; count += 1) {
      const guild = guilds[count % guilds.length] ?? '';
      const prefix = `${caller}.${count}`;
      const { revision } = await succeed('PATCH', `/guilds/${guild}`, { prefix });
      acknowledged.push({ guild, prefix, revision });
      const read = await succeed('GET', `/guilds/${guild}`);
      if (read.revision !== revision) failures.push(`Expected revision ${revision}, read ${read.revision}`);
    }
  }

  const calls = Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)));
  return {
    answered: () => answered,
    async more() {
      const enough = answered + REQUESTS;
      await waitUntil(() => answered >= enough, { message: `${enough} responses` });
    },
    longestPauseMs: () => longestPauseMs,
    acknowledged,
    failures,
    async stop() {
      isStopped = true;
      await calls;
    },
  };
}

interface Answer {
  readonly status: number;
  readonly revision: number;
  readonly body: string;
}

const NO_ANSWER = { status: 0, revision: 0 };

/** Returns a function that sends one request, on connections that are kept open. It repeats nothing, as `fetch` may do. */
function sender(base: string, ca: Buffer | undefined) {
  const { request, Agent } = base.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true, ...(ca && { ca }) });
  return (method: string, path: string, body: object | undefined): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${TOKEN}`, ...(body && { 'content-type': 'application/json' }) };
      const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
      const sent = request(`${base}${path}`, { method, agent, headers, signal }, (response) => {
        const { statusCode = 0, headers } = response;
        const revision = revisionIn(headers.etag);
        text(response).then((received) => resolve({ status: statusCode, revision, body: received }), reject);
      });
      sent.on('error', reject).end(body && JSON.stringify(body));
    });
}
