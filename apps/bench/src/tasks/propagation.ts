import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Replica } from '@guild-settings/bot';
import { watch } from '@guild-settings/client';
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

/** Real replicas of the service, each with a file. */
async function toReplicas(job: PropagationJob): Promise<number[]> {
  const { url, token, ids, watchers } = job;
  const folder = await mkdtemp(join(tmpdir(), 'guild-settings-propagation-'));
  const replicas = Array.from(
    { length: watchers },
    (_, index) =>
      new Replica({ path: join(folder, `${index}.db`), follow: (options) => watch({ url, token, ...options }) }),
  );
  for (const replica of replicas) replica.start();
  while (replicas.some(({ status }) => status.state !== 'LIVE')) await delay(5);
  let id = '';
  let prefix = '';
  const delays = await delaysOf({
    changes: job.changes,
    async change(number) {
      id = ids[number % ids.length] ?? '';
      prefix = nextPrefix();
      await patch(job, id, prefix);
    },
    knows: replicas.map((replica) => () => replica.get(id).prefix === prefix),
  });
  await Promise.all(replicas.map((replica) => replica.stop()));
  await rm(folder, { recursive: true });
  return delays;
}

/** Streams of events with nothing in them, read as the service's client reads. */
async function toListeners({ url, watchers, changes }: PropagationJob): Promise<number[]> {
  const aborter = new AbortController();
  const heard = Array.from({ length: watchers }, () => 0);
  const listen = async (index: number, body: ReadableStream<Uint8Array>) => {
    const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    for await (const event of events) if (event.data === '') heard[index] = (heard[index] ?? 0) + 1;
  };
  for (const index of heard.keys()) {
    const { body } = await fetch(`${url}/events`, { signal: aborter.signal });
    if (body === null) throw new Error('no stream');
    listen(index, body).catch(() => {});
  }
  let expected = 0;
  const delays = await delaysOf({
    changes,
    async change() {
      expected += 1;
      await send(`${url}/events`, { method: 'POST' });
    },
    knows: heard.map((_, index) => () => heard[index] === expected),
  });
  aborter.abort();
  return delays;
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
    const answered = performance.now();
    for (let waiting = knows; waiting.length > 0; ) {
      const late = waiting.filter((isKnown) => !isKnown());
      const now = performance.now() - answered;
      delays.push(...Array.from({ length: waiting.length - late.length }, () => now));
      waiting = late;
      if (late.length > 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await delay(PAUSE);
  }
  return delays;
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

async function send(url: string, options: RequestInit): Promise<unknown> {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

let prefixes = 0;

/** One that no guild has had yet. */
function nextPrefix(): string {
  prefixes += 1;
  return `${process.pid}-${prefixes}`;
}
