import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { watch } from '@guild-settings/client';
import { openReplica, Replica } from '@guild-settings/replica';
import { handleJobs } from './task.ts';

/** Opens replicas, one for each shard of a bot, and measures changes beside them. */
export interface ArrivalJob {
  readonly url: string;
  readonly token: string;
  /** The guilds that are changed, one after another. */
  readonly ids: readonly string[];
  /** The replicas, and shards of the bot. */
  readonly watchers: number;
  /** Whether the replicas are registered and acknowledge what they have. */
  readonly acknowledges: boolean;
  /** The folder of the replicas' files. */
  readonly folder: string;
  /** Pairs of changes, one that waits until it is live and one that does not. */
  readonly pairs: number;
}

/** Milliseconds of each change. */
export interface ArrivalTimes {
  /** From the request until the response to a change that waits. */
  readonly waiting: number[];
  /** The same of a change that does not wait. */
  readonly plain: number[];
  /** From the response to a change that does not wait until the replica has it. */
  readonly propagation: number[];
}

/** Longer than the least pause between two acknowledgements of a process. */
const PAUSE_MS = 30;

/** Changes before the measured ones, without pauses: the code of both processes is compiled, as it is in use. */
const WARM_UP_CHANGES = 1_000;

/** Opened by the first job and used by all. */
let replicas: readonly Replica[] | undefined;

handleJobs<ArrivalJob, ArrivalTimes>(async (job) => {
  if (replicas === undefined) {
    replicas = await openReplicas(job);
    const changes = job.pairs > 0 ? WARM_UP_CHANGES : 0;
    for (let change = 0; change < changes; change += 1)
      await patch(job, job.ids[change % job.ids.length] ?? '', nextPrefix());
  }
  const times: ArrivalTimes = { waiting: [], plain: [], propagation: [] };
  for (let pair = 0; pair < job.pairs; pair += 1) {
    const id = job.ids[pair % job.ids.length] ?? '';
    const replica = replicas[Number((BigInt(id) >> 22n) % BigInt(job.watchers))];
    if (replica === undefined) throw new Error(`Expected a replica of the shard of ${id}`);
    times.waiting.push(await patch(job, id, nextPrefix(), { prefer: 'wait=10' }));
    await delay(PAUSE_MS);
    const prefix = nextPrefix();
    const received = receiptOf(replica, prefix);
    times.plain.push(await patch(job, id, prefix));
    const responded = performance.now();
    times.propagation.push(Math.max(0, (await received) - responded));
    await delay(PAUSE_MS);
  }
  return times;
});

async function openReplicas({ url, token, watchers, acknowledges, folder }: ArrivalJob): Promise<readonly Replica[]> {
  const opened = Array.from({ length: watchers }, (_, id) => {
    const path = join(folder, `${acknowledges ? 'acknowledging' : 'silent'}-${watchers}-${id}.db`);
    const shard = { id, count: watchers };
    if (acknowledges) {
      const shards = { ids: [id], count: watchers };
      return openReplica({ apiUrl: url, credentials: token, path, shards, name: `bot-${id}` });
    }
    const follow = ({
      watcher: _watcher,
      ...options
    }: Parameters<ConstructorParameters<typeof Replica>[0]['follow']>[0]) => watch({ url, token, shard, ...options });
    const replica = new Replica({ path, follow });
    replica.start();
    return replica;
  });
  await Promise.all(opened.map((replica) => replica.waitUntilLive()));
  return opened;
}

/**
 * Resolves with the time at which a replica returns a prefix. The replica notifies it. It does not poll: a process that polls is
 * awake when the event arrives, and one that waits for an acknowledgement is not.
 */
function receiptOf(replica: Replica, prefix: string): Promise<number> {
  return new Promise((resolve) => {
    const remove = replica.on('change', (_id, _before, after) => {
      if (after.prefix !== prefix) return;
      remove();
      resolve(performance.now());
    });
  });
}

const agent = new Agent({ keepAlive: true });

/** Changes a guild. Returns the milliseconds until the end of the response. */
async function patch({ url, token }: ArrivalJob, id: string, prefix: string, headers: object = {}): Promise<number> {
  const started = performance.now();
  const options = {
    method: 'PATCH',
    agent,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
  };
  const outgoing = request(`${url}/guilds/${id}`, options).end(JSON.stringify({ prefix }));
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  await once(response.resume(), 'end');
  const { arrival } = response.headers;
  if (response.statusCode !== 200) throw new Error(`PATCH of ${id}: ${response.statusCode}`);
  if ('prefer' in headers && !String(arrival).startsWith('live')) throw new Error(`Expected live, received ${arrival}`);
  return performance.now() - started;
}

let prefixes = 0;

/** Returns a prefix that no guild has had. */
function nextPrefix(): string {
  prefixes += 1;
  return `${process.pid}-${prefixes}`;
}
