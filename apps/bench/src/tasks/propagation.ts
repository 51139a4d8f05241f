import { once } from 'node:events';
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { watch } from '@guild-settings/client';
import { Replica } from '@guild-settings/replica';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { answerJobs } from './task.ts';

/** Measures how long after the answer to a change it is known elsewhere. */
export interface PropagationJob {
  readonly to: 'replicas' | 'listeners' | 'polls';
  readonly url: string;
  readonly token: string;
  /** The guilds to change in turn. */
  readonly ids: readonly string[];
  readonly watchers: number;
  readonly changes: number;
  /** For the replicas' files. */
  readonly folder: string;
}

/** Milliseconds: one for each change and watcher. */
answerJobs<PropagationJob, number[]>((job) => {
  switch (job.to) {
    case 'replicas':
      return toReplicas(job);
    case 'listeners':
      return toListeners(job);
    case 'polls':
      return toPolls(job);
  }
});

/** Between two changes, so that each is told by itself, in milliseconds. */
const PAUSE = 2;

const POLL_INTERVAL = 1_000;

/** Opened in the first round, and used by all. */
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

/** Real replicas of the service, each with a file. */
async function openReplicas({ url, token, watchers, folder }: PropagationJob): Promise<readonly Replica[]> {
  const opened = Array.from(
    { length: watchers },
    (_, index) =>
      new Replica({ path: join(folder, `${index}.db`), follow: (options) => watch({ url, token, ...options }) }),
  );
  for (const replica of opened) replica.start();
  while (opened.some(({ status }) => status.state !== 'LIVE')) await delay(5);
  return opened;
}

/** How often each listener has heard something. */
let heard: number[] | undefined;
let posts = 0;

async function toListeners({ url, watchers, changes }: PropagationJob): Promise<number[]> {
  heard ??= await openListeners(url, watchers);
  const counts = heard;
  return delaysOf({
    changes,
    async change() {
      posts += 1;
      await send(`${url}/events`, { method: 'POST' });
    },
    knows: counts.map((_, index) => () => counts[index] === posts),
  });
}

/** Streams of events with nothing in them, read as the service's client reads. */
async function openListeners(url: string, watchers: number): Promise<number[]> {
  const counts = Array.from({ length: watchers }, () => 0);
  for (const index of counts.keys()) {
    const { body } = await fetch(`${url}/events`);
    if (body === null) throw new Error('no stream');
    const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    void (async () => {
      for await (const event of events) if (event.data === '') counts[index] = (counts[index] ?? 0) + 1;
    })();
  }
  return counts;
}

interface Changes {
  readonly changes: number;
  /** Makes the next change; resolves when it was answered. */
  change(number: number): Promise<void>;
  /** Whether each of the watchers knows of it. */
  readonly knows: readonly (() => boolean)[];
}

async function delaysOf({ changes, change, knows }: Changes): Promise<number[]> {
  const delays: number[] = [];
  for (let number = 0; number < changes; number++) {
    await change(number);
    delays.push(...(await arrivals(knows)));
    await delay(PAUSE);
  }
  return delays;
}

/** How long from now it takes each of them to know. Looks at every turn, and leaves next to no garbage at a look. */
function arrivals(knows: Changes['knows']): Promise<number[]> {
  return new Promise((resolve) => {
    const answered = performance.now();
    const delays: number[] = [];
    let waiting = knows;
    const look = () => {
      if (waiting.some((isKnown) => isKnown())) {
        const now = performance.now() - answered;
        const late = waiting.filter((isKnown) => !isKnown());
        delays.push(...Array.from({ length: waiting.length - late.length }, () => now));
        waiting = late;
      }
      if (waiting.length > 0) setImmediate(look);
      else resolve(delays);
    };
    look();
  });
}

/** Who asks for a guild once a second. Each changes at some moment between two questions. */
async function toPolls(job: PropagationJob): Promise<number[]> {
  return Promise.all(job.ids.slice(0, job.watchers).map((id, index) => delayOfPoll(job, id, index / job.watchers)));
}

async function delayOfPoll(job: PropagationJob, id: string, phase: number): Promise<number> {
  const prefix = nextPrefix();
  await delay(POLL_INTERVAL * phase);
  await patch(job, id, prefix);
  const answered = performance.now();
  // The question before the change came at any time of the second before it.
  await delay(POLL_INTERVAL * Math.random());
  for (;;) {
    const record = (await send(`${job.url}/guilds/${id}`, { headers: authorization(job) })) as { prefix: string };
    if (record.prefix === prefix) return performance.now() - answered;
    await delay(POLL_INTERVAL);
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

/** By Node's own client: `fetch` leaves so much garbage that collecting it would be what is measured. */
async function send(url: string, { body, ...options }: RequestOptions & { readonly body?: string }): Promise<unknown> {
  const sent = request(url, { ...options, agent }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode} ${answer}`);
  return JSON.parse(answer);
}

let prefixes = 0;

/** One that no guild has had yet. */
function nextPrefix(): string {
  prefixes += 1;
  return `${process.pid}-${prefixes}`;
}
