import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../cluster/cluster.ts';
import type { Random } from '../random.ts';
import { DISCORD_FAULTS } from './discord.ts';
import { diskFull } from './disk.ts';
import type { Fault } from './fault.ts';
import { postgresFaults } from './postgres.ts';
import { apiFaults, botKilled } from './processes.ts';
import { proxyFaults } from './proxies.ts';

/** At one time. */
const MOST_FAULTS = 3;

/** Milliseconds in which work goes on between rounds. */
const PAUSE = { least: 500, most: 1_500 };

/** Reading ends with a COMMIT as well; writing is made known before. */
const COMMITTED_WRITE = { text: 'COMMIT', after: 'pg_notify' };

export interface NemesisOptions {
  readonly cluster: Cluster;
  readonly rounds: number;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** Called after each round with the names of its faults. */
  readonly onRound: (round: number, faults: readonly string[]) => void;
}

/** Lets things fail, several at a time, each round followed by a pause in which all is well. */
export async function torment({ cluster, rounds, random, signal, onRound }: NemesisOptions): Promise<void> {
  const groups = faultsOf(cluster);
  // Each kind in its turn, so that none is left to luck.
  let turn: Fault[] = [];
  for (let round = 1; round <= rounds && !signal.aborted; round++) {
    if (turn.length < MOST_FAULTS) turn = [...turn, ...random.shuffled(groups).map((group) => random.pick(group))];
    const chosen = choose(turn, random.between(1, MOST_FAULTS));
    turn = turn.filter((fault) => !chosen.includes(fault));
    await Promise.all(
      chosen.map(async (fault) => {
        const own = random.fork();
        await delay(own.between(0, 300));
        await fault.inflict(cluster, own);
      }),
    );
    await cluster.heal();
    onRound(
      round,
      chosen.map(({ name }) => name),
    );
    await delay(random.between(PAUSE.least, PAUSE.most), undefined, { signal }).catch(() => {});
  }
}

/** Everything that can happen here, in groups of what is alike. */
export function faultsOf({ apis, postgres, disk }: Cluster): Fault[][] {
  const each = apis.map((api) => apiFaults(api));
  const outer = apis.map(({ index, proxy }) =>
    proxyFaults({
      name: 'proxy to an api',
      target: `proxy ${index}`,
      proxy,
      losing: { request: { text: 'PATCH' }, proxies: [proxy] },
    }),
  );
  const all = postgres?.proxies ?? [];
  const inner = all.map((proxy, index) =>
    proxyFaults({
      name: 'proxy to PostgreSQL',
      target: `inner proxy ${index}`,
      proxy,
      losing: { request: COMMITTED_WRITE, proxies: all },
    }),
  );
  const alike = [each, outer, inner].flatMap((all) =>
    (all[0] ?? []).map((_, kind) => all.flatMap((of) => of[kind] ?? [])),
  );
  return [
    ...alike,
    [botKilled],
    ...(postgres ? postgresFaults(postgres).map((fault) => [fault]) : []),
    ...(disk.canBeFilled ? [[diskFull]] : []),
    // One of Discord's at a time keeps writers out for seconds, so they take turns.
    ...Array.from({ length: 2 }, () => [...DISCORD_FAULTS]),
  ];
}

function choose(from: readonly Fault[], most: number): Fault[] {
  const chosen = new Map<string, Fault>();
  for (const fault of from) {
    if (chosen.size < most && !chosen.has(fault.target)) chosen.set(fault.target, fault);
  }
  return [...chosen.values()];
}
