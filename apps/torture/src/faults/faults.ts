import { setTimeout as delay } from 'node:timers/promises';
import type { Fault as DiscordFault } from '@guild-settings/discord-sim';
import { killIfRunning, type RequestMatch, type TcpProxy } from '@guild-settings/testing';
import type { Cluster } from '../cluster/cluster.ts';
import type { PostgresDatabase } from '../cluster/database.ts';
import type { ApiNode, BotNode } from '../cluster/nodes.ts';
import type { Random } from '../random.ts';

export interface Fault {
  readonly name: string;
  readonly target: string;
  inject(random: Random): Promise<void>;
}

function randomDelay(random: Random, minMs: number, maxMs: number): Promise<void> {
  return delay(random.between(minMs, maxMs));
}

function faultsOn(target: string, faults: Readonly<Record<string, Fault['inject']>>): Fault[] {
  return Object.entries(faults).map(([name, inject]) => ({ name, target, inject }));
}

/** Time limit of a restart during a round; the end of the round heals the rest. */
const RESTART_TIMEOUT_MS = 15_000;
const POSTGRES_RESTART_TIMEOUT_MS = 20_000;

const HOUR_MS = 3_600_000;

/** Less than the seven days after which the bot's token expires. */
const MAX_STEP_MS = 5 * 24 * HOUR_MS;

/** Clock offsets of a running process. */
const LIVE_STEPS_MS = [0, HOUR_MS, 30 * 24 * HOUR_MS];

/** Guilds for retention to erase at once, and the number of changes of each. */
const GUILDS = 1_500;
const CHANGES_EACH = 4;

export function apiFaults(api: ApiNode, { versions, postgres, database, retired }: Cluster): Fault[] {
  const restart = async (signal: NodeJS.Signals = 'SIGKILL') => {
    await api.end(signal);
    await api.ensureUp(RESTART_TIMEOUT_MS);
  };
  return faultsOn(`api ${api.index}`, {
    async 'api killed'(random) {
      await api.end('SIGKILL');
      await randomDelay(random, 0, 500);
      await api.ensureUp(RESTART_TIMEOUT_MS);
    },
    async 'api stopped for a while'(random) {
      api.signal('SIGSTOP');
      await randomDelay(random, 200, 2_000);
      api.signal('SIGCONT');
    },
    async 'clock of an api stepped'(random) {
      api.stepClock(random.between(HOUR_MS, MAX_STEP_MS) * random.pick([1, -1]));
      await restart();
    },
    async 'clock of a live api stepped'(random) {
      const steps = random.between(1, 4);
      for (let step = 0; step < steps; step++) {
        api.stepClock(random.pick(LIVE_STEPS_MS) * random.pick([1, -1]));
        await randomDelay(random, 50, 1_000);
      }
    },
    /**
     * A rolling upgrade or downgrade: the database is migrated to the newest version while all processes serve, then one process
     * restarts as the other version.
     */
    async 'version of an api changed'(random) {
      const [first, next] = versions;
      if (postgres && !(await postgres.migrate(next.migrate))) return;
      api.main = api.main === first.main ? next.main : first.main;
      await restart(random.pick(['SIGTERM', 'SIGKILL']));
    },
    /** Retention erases many guilds under load, at the start of a process, which may be killed meanwhile. */
    async 'retention at scale'(random) {
      await database.insertRetired(retired.next(GUILDS, CHANGES_EACH), retired);
      for (let start = random.between(1, 2); start > 0; start--) {
        await restart();
        await randomDelay(random, 20, 1_500);
      }
    },
  });
}

export function botFaults(bot: BotNode): Fault[] {
  return faultsOn(bot.name, {
    async 'bot killed'(random) {
      await bot.end('SIGKILL');
      await randomDelay(random, 100, 1_000);
      bot.ensureUp();
    },
  });
}

/** The requests of which one kind loses its responses, on all of some proxies. */
export interface Losing {
  readonly requests: readonly RequestMatch[];
  readonly proxies: readonly TcpProxy[];
}

/** The range includes the response timeout of the load's clients. */
const REFUSING_MS = { min: 2_000, max: 9_000 };

export function proxyFaults(name: string, target: string, proxy: TcpProxy, losing: Losing): Fault[] {
  return faultsOn(target, {
    async [`${name} cut`](random) {
      for (let times = random.between(1, 4); times > 0; times--) {
        proxy.cut();
        await randomDelay(random, 50, 400);
      }
    },
    async [`${name} delayed`](random) {
      proxy.delay(random.between(30, 400));
      await randomDelay(random, 500, 1_500);
      proxy.delay(0);
    },
    async [`${name} half closed`](random) {
      proxy.halfClose(random.pick(['to server', 'to client']));
      await randomDelay(random, 100, 500);
    },
    async [`${name} losing responses`](random) {
      const times = random.between(2, 12);
      const request = random.pick(losing.requests);
      for (const one of losing.proxies) one.loseResponses(request, { count: times });
      await randomDelay(random, 500, 1_500);
      for (const one of losing.proxies) one.loseResponses(request, { count: 0 });
    },
    async [`${name} losing a response, then refusing`](random) {
      proxy.loseResponses(random.pick(losing.requests), { thenRefuse: true });
      await randomDelay(random, REFUSING_MS.min, REFUSING_MS.max);
      proxy.restore();
    },
  });
}

const BACKENDS = "SELECT pid FROM pg_stat_activity WHERE application_name = 'guild-settings'";
const LISTENERS = `${BACKENDS} AND query LIKE 'LISTEN%'`;

export function postgresFaults(postgres: PostgresDatabase): Fault[] {
  const { server, query } = postgres;
  // Fails while another fault keeps the server down.
  const backends = async () => (await query<{ pid: number }>(BACKENDS).catch(() => [])).map(({ pid }) => pid);
  const pause = async (pids: readonly number[], random: Random) => {
    for (const pid of pids) killIfRunning(pid, 'SIGSTOP');
    await randomDelay(random, 200, 2_000);
    for (const pid of pids) killIfRunning(pid, 'SIGCONT');
  };
  return faultsOn('PostgreSQL', {
    async 'PostgreSQL killed'(random) {
      await server.end('SIGKILL');
      await randomDelay(random, 0, 500);
      await postgres.ensureUp(POSTGRES_RESTART_TIMEOUT_MS);
    },
    async 'PostgreSQL stopped for a while'(random) {
      await pause(await server.pids(), random);
    },
    async 'PostgreSQL backend killed'(random) {
      const pids = await backends();
      if (pids.length > 0) killIfRunning(random.pick(pids), 'SIGKILL');
      await randomDelay(random, 100, 500);
      await postgres.ensureUp(POSTGRES_RESTART_TIMEOUT_MS);
    },
    async 'PostgreSQL backends stopped for a while'(random) {
      await pause(random.shuffled(await backends()).slice(0, random.between(1, 6)), random);
    },
    async 'LISTEN connections ended'(random) {
      for (let times = random.between(1, 3); times > 0; times--) {
        await query(LISTENERS.replace('SELECT pid', 'SELECT pg_terminate_backend(pid)')).catch(() => {});
        await randomDelay(random, 50, 300);
      }
    },
  });
}

export function diskFaults({ disk, database }: Cluster): Fault[] {
  return faultsOn('disk', {
    async 'disk full'(random) {
      await disk.fill();
      await randomDelay(random, 300, 1_500);
      await disk.free();
      // PostgreSQL exits when it cannot write its log.
      await database.ensureUp(RESTART_TIMEOUT_MS);
    },
  });
}

const DISCORD: readonly DiscordFault[] = [
  { kind: 'latency', ms: 400 },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503 },
  { kind: 'rate-limit', retryAfterSeconds: 1 },
  { kind: 'rate-limit', retryAfterSeconds: 1, global: true },
  { kind: 'html' },
  { kind: 'truncated-json' },
  { kind: 'wrong-shape' },
  { kind: 'close-socket' },
  { kind: 'close-mid-body' },
  { kind: 'hang' },
];

export function discordFaults({ discord }: Cluster): Fault[] {
  return DISCORD.map((fault) => ({
    name: `Discord: ${fault.kind}`,
    target: 'Discord',
    async inject(random) {
      // Long enough for cached tokens to expire.
      discord.faults.set(fault);
      await randomDelay(random, 500, 2_500);
      discord.faults.clear();
    },
  }));
}
