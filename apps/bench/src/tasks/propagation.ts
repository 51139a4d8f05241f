import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as delay } from 'node:timers/promises';
import { watch } from '@guild-settings/client';
import { Replica } from '@guild-settings/replica';
import { createParser } from 'eventsource-parser';
import { request } from 'undici';
import { handleJobs } from './task.ts';

/** Measures the time from the response to a change until a watcher knows the change. */
export interface PropagationJob {
  /** A replica of the service, or a listener for empty events. */
  readonly to: 'replica' | 'listener';
  readonly url: string;
  readonly token: string;
  readonly ids: readonly string[];
  readonly changes: number;
  readonly folder: string;
}

/** Between two changes, so that each is notified separately. */
const PAUSE_MS = 2;

interface Watched {
  change(number: number): Promise<void>;
  isKnown(): boolean;
}

/** Opened by the first job, and used by all. */
const watched = new Map<PropagationJob['to'], Watched>();

handleJobs<PropagationJob, number[]>(async (job) => {
  const { change, isKnown } = watched.get(job.to) ?? (await (job.to === 'replica' ? openReplica : openListener)(job));
  watched.set(job.to, { change, isKnown });
  const delays: number[] = [];
  for (let number = 0; number < job.changes; number++) {
    await change(number);
    delays.push(await delayUntil(isKnown));
    await delay(PAUSE_MS);
  }
  return delays;
});

async function openReplica({ url, token, ids, folder }: PropagationJob): Promise<Watched> {
  const follow = ({ watcher: _, ...options }: Parameters<ConstructorParameters<typeof Replica>[0]['follow']>[0]) =>
    watch({ url, token, ...options });
  const replica = new Replica({ path: join(folder, 'replica.db'), follow });
  replica.start();
  await replica.waitUntilLive();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  let last = { id: '', prefix: '' };
  let prefixes = 0;
  return {
    async change(number) {
      prefixes += 1;
      last = { id: ids[number % ids.length] ?? '', prefix: `${process.pid}-${prefixes}` };
      await send(`${url}/guilds/${last.id}`, { method: 'PATCH', headers }, JSON.stringify({ prefix: last.prefix }));
    },
    isKnown: () => replica.get(last.id).prefix === last.prefix,
  };
}

/** Opens a stream of empty events, received and parsed as the service's client does. */
async function openListener({ url }: PropagationJob): Promise<Watched> {
  let posts = 0;
  let received = 0;
  const { body } = await request(`${url}/events`);
  const parser = createParser({
    onEvent() {
      received += 1;
    },
  });
  const decoder = new StringDecoder('utf8');
  void (async () => {
    for await (const chunk of body) parser.feed(decoder.write(chunk));
  })();
  return {
    async change() {
      posts += 1;
      await send(`${url}/events`, { method: 'POST' });
    },
    isKnown: () => received === posts,
  };
}

/** Polls once per event loop iteration, with little garbage. */
function delayUntil(isKnown: () => boolean): Promise<number> {
  return new Promise((resolve) => {
    const start = performance.now();
    const poll = () => {
      if (isKnown()) resolve(performance.now() - start);
      else setImmediate(poll);
    };
    poll();
  });
}

const agent = new Agent({ keepAlive: true });

/** Sends a request with `node:http`: the garbage of `fetch` would dominate the measurement. */
async function send(url: string, options: RequestOptions, body?: string): Promise<void> {
  const outgoing = httpRequest(url, { ...options, agent }).end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`Expected 200 of ${url}, received ${response.statusCode}`);
  await once(response.resume(), 'end');
}
