import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as delay } from 'node:timers/promises';
import { watch } from '@guild-settings/client';
import { Replica } from '@guild-settings/replica';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { request } from 'undici';
import { handleJobs } from './task.ts';

/** Measures the time from the response to a change until watchers know the change. */
export interface PropagationJob {
  readonly to: 'replicas' | 'listeners' | 'polls';
  readonly url: string;
  readonly token: string;
  /** The guilds that are changed, one after another. */
  readonly ids: readonly string[];
  readonly watchers: number;
  readonly changes: number;
  /** The folder of the replicas' files. */
  readonly folder: string;
}

/** Returns milliseconds, one for each change and watcher. */
handleJobs<PropagationJob, number[]>((job) => {
  switch (job.to) {
    case 'replicas':
      return toReplicas(job);
    case 'listeners':
      return toListeners(job);
    case 'polls':
      return toPolls(job);
  }
});

/** Between two changes, so that each is notified separately. */
const PAUSE_MS = 2;

const POLL_INTERVAL_MS = 1_000;

/** Opened in the first round and used by all. */
let replicas: readonly Replica[] | undefined;

async function toReplicas(job: PropagationJob): Promise<number[]> {
  replicas ??= await openReplicas(job);
  let id = '';
  let prefix = '';
  return delaysOf({
    changes: job.changes,
    async change(number) {
      id = job.ids[number % job.ids.length] ?? '';
      prefix = nextPrefix();
      await patch(job, id, prefix);
    },
    knows: replicas.map((replica) => () => replica.get(id).prefix === prefix),
  });
}

/** Opens replicas of the service, each with a file. */
async function openReplicas({ url, token, watchers, folder }: PropagationJob): Promise<readonly Replica[]> {
  const opened = Array.from(
    { length: watchers },
    (_, index) =>
      new Replica({
        path: join(folder, `${index}.db`),
        follow: ({ watcher: _, ...options }) => watch({ url, token, ...options }),
      }),
  );
  for (const replica of opened) replica.start();
  while (opened.some(({ status }) => status.state !== 'LIVE')) await delay(5);
  return opened;
}

/** The number of events that each listener has received. */
let received: number[] | undefined;
let posts = 0;

async function toListeners({ url, watchers, changes }: PropagationJob): Promise<number[]> {
  received ??= await openListeners(url, watchers);
  const counts = received;
  return delaysOf({
    changes,
    async change() {
      posts += 1;
      await send(`${url}/events`, { method: 'POST' });
    },
    knows: counts.map((_, index) => () => counts[index] === posts),
  });
}

/** Opens streams of empty events, received and parsed as the service's client does. */
async function openListeners(url: string, watchers: number): Promise<number[]> {
  const counts = Array.from({ length: watchers }, () => 0);
  for (const index of counts.keys()) {
    const { body } = await request(`${url}/events`);
    const onEvent = ({ data }: EventSourceMessage) => {
      if (data === '') counts[index] = (counts[index] ?? 0) + 1;
    };
    const parser = createParser({ onEvent });
    const decoder = new StringDecoder('utf8');
    void (async () => {
      for await (const chunk of body) parser.feed(decoder.write(chunk));
    })();
  }
  return counts;
}

interface Changes {
  readonly changes: number;
  /** Makes the next change and waits for the response. */
  change(number: number): Promise<void>;
  /** For each watcher, whether it knows the change. */
  readonly knows: readonly (() => boolean)[];
}

async function delaysOf({ changes, change, knows }: Changes): Promise<number[]> {
  const delays: number[] = [];
  for (let number = 0; number < changes; number++) {
    await change(number);
    delays.push(...(await arrivals(knows)));
    await delay(PAUSE_MS);
  }
  return delays;
}

/** Measures how long each watcher takes to know. Polls once per event loop iteration, with little garbage. */
function arrivals(knows: Changes['knows']): Promise<number[]> {
  return new Promise((resolve) => {
    const start = performance.now();
    const delays: number[] = [];
    let waiting = knows;
    const poll = () => {
      if (waiting.some((isKnown) => isKnown())) {
        const now = performance.now() - start;
        const late = waiting.filter((isKnown) => !isKnown());
        delays.push(...Array.from({ length: waiting.length - late.length }, () => now));
        waiting = late;
      }
      if (waiting.length > 0) setImmediate(poll);
      else resolve(delays);
    };
    poll();
  });
}

/** Measures clients that request a guild once a second. Each guild changes at another moment between two requests. */
async function toPolls(job: PropagationJob): Promise<number[]> {
  return Promise.all(job.ids.slice(0, job.watchers).map((id, index) => delayOfPoll(job, id, index / job.watchers)));
}

async function delayOfPoll(job: PropagationJob, id: string, phase: number): Promise<number> {
  const prefix = nextPrefix();
  await delay(POLL_INTERVAL_MS * phase);
  await patch(job, id, prefix);
  const start = performance.now();
  // The previous request was sent at a random moment of the second before.
  await delay(POLL_INTERVAL_MS * Math.random());
  for (;;) {
    const record = (await send(`${job.url}/guilds/${id}`, { headers: authorization(job) })) as { prefix: string };
    if (record.prefix === prefix) return performance.now() - start;
    await delay(POLL_INTERVAL_MS);
  }
}

async function patch(job: PropagationJob, id: string, prefix: string): Promise<void> {
  await send(`${job.url}/guilds/${id}`, {
    method: 'PATCH',
    headers: { ...authorization(job), 'content-type': 'application/json' },
    body: JSON.stringify({ prefix }),
  });
}

function authorization({ token }: PropagationJob) {
  return { authorization: `Bearer ${token}` };
}

const agent = new Agent({ keepAlive: true });

/** Sends a request with `node:http`: the garbage of `fetch` would dominate the measurement. */
async function send(url: string, { body, ...options }: RequestOptions & { readonly body?: string }): Promise<unknown> {
  const outgoing = httpRequest(url, { ...options, agent }).end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const responseText = await text(response);
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode} ${responseText}`);
  return JSON.parse(responseText);
}

let prefixes = 0;

/** Returns a prefix that no guild has had. */
function nextPrefix(): string {
  prefixes += 1;
  return `${process.pid}-${prefixes}`;
}
