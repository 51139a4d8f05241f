import { killIfRunning } from '@guild-settings/testing';
import type { PostgresDatabase } from '../cluster/postgres-database.ts';
import type { Random } from '../random.ts';
import { type Fault, randomDelay } from './fault.ts';

const BACKENDS = "SELECT pid FROM pg_stat_activity WHERE application_name = 'guild-settings'";
const LISTENERS = `${BACKENDS} AND query LIKE 'LISTEN%'`;

async function pidsOf({ query }: PostgresDatabase, statement: string): Promise<number[]> {
  // Fails while another fault keeps the server down.
  const rows = await query<{ pid: number }>(statement).catch(() => []);
  return rows.map(({ pid }) => pid);
}

async function pause(pids: readonly number[], random: Random): Promise<void> {
  for (const pid of pids) killIfRunning(pid, 'SIGSTOP');
  await randomDelay(random, 200, 2_000);
  for (const pid of pids) killIfRunning(pid, 'SIGCONT');
}

export function postgresFaults(postgres: PostgresDatabase): Fault[] {
  const { server, query } = postgres;
  const target = 'PostgreSQL';
  return [
    {
      name: 'PostgreSQL killed',
      target,
      async inject(_cluster, random) {
        await server.end('SIGKILL');
        await randomDelay(random, 0, 500);
        await postgres.ensureUp(20_000);
      },
    },
    {
      name: 'PostgreSQL stopped for a while',
      target,
      async inject(_cluster, random) {
        await pause(await server.pids(), random);
      },
    },
    {
      name: 'PostgreSQL backend killed',
      target,
      async inject(_cluster, random) {
        const pids = await pidsOf(postgres, BACKENDS);
        if (pids.length > 0) killIfRunning(random.pick(pids), 'SIGKILL');
        await randomDelay(random, 100, 500);
        await postgres.ensureUp(20_000);
      },
    },
    {
      name: 'PostgreSQL backends stopped for a while',
      target,
      async inject(_cluster, random) {
        await pause(random.shuffled(await pidsOf(postgres, BACKENDS)).slice(0, random.between(1, 6)), random);
      },
    },
    {
      name: 'LISTEN connections ended',
      target,
      async inject(_cluster, random) {
        for (let times = random.between(1, 3); times > 0; times--) {
          await query(LISTENERS.replace('SELECT pid', 'SELECT pg_terminate_backend(pid)')).catch(() => {});
          await randomDelay(random, 50, 300);
        }
      },
    },
  ];
}
