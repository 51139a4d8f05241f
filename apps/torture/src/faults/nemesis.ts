import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../cluster/cluster.ts';
import type { Recorder } from '../load/recorder.ts';
import type { Random } from '../random.ts';
import { apiFaults, botFaults, discordFaults, diskFaults, type Fault, postgresFaults, proxyFaults } from './faults.ts';

const MAX_FAULTS = 3;

/**
 * The pause between rounds, without faults. On a slow machine it lasts until this many operations were acknowledged.
 */
const PAUSE_MS = { min: 500, max: 1_500 };
const PAUSE_OPERATIONS = 200;
const MAX_PAUSE_MS = 10_000;

/** The requests to an api whose responses are lost. */
const CHANGES = [{ text: 'PATCH' }, { text: 'DELETE' }];

/** The COMMIT of a write, but not the `READ COMMITTED` of its BEGIN. Reads also end with COMMIT, but do not insert. */
const COMMITTED_WRITE = { text: 'COMMIT\0', after: 'insert_batch' };

interface NemesisOptions {
  readonly rounds: number;
  readonly random: Random;
  readonly signal: AbortSignal;
  readonly onRound: (round: number, faults: readonly string[]) => void;
}

/** Injects faults, several at a time, with a pause without faults after each round. A nemesis, as in Jepsen. */
export async function runNemesis(cluster: Cluster, recorder: Recorder, options: NemesisOptions): Promise<void> {
  const { rounds, random, signal, onRound } = options;
  const groups = groupsOf(cluster);
  // Each group once before any group is repeated.
  let remaining: Fault[] = [];
  for (let round = 1; round <= rounds && !signal.aborted; round++) {
    if (remaining.length < MAX_FAULTS)
      remaining = [...remaining, ...random.shuffled(groups).map((group) => random.pick(group))];
    const chosen = choose(remaining, random.between(1, MAX_FAULTS));
    remaining = remaining.filter((fault) => !chosen.includes(fault));
    await Promise.all(
      chosen.map(async (fault) => {
        const own = random.fork();
        await delay(own.between(0, 300));
        await fault.inject(own);
      }),
    );
    await cluster.heal();
    onRound(
      round,
      chosen.map(({ name }) => name),
    );
    const [least, until] = [recorder.acknowledged + PAUSE_OPERATIONS, performance.now() + MAX_PAUSE_MS];
    let pauseMs = random.between(PAUSE_MS.min, PAUSE_MS.max);
    do {
      await delay(pauseMs, undefined, { signal }).catch(() => {});
      pauseMs = 50;
    } while (recorder.acknowledged < least && performance.now() < until && !signal.aborted);
  }
}

/** Returns the faults that can be injected here, in groups of similar ones. */
function groupsOf(cluster: Cluster): Fault[][] {
  const { apis, bots, postgres, disk } = cluster;
  const proxies = postgres?.proxies ?? [];
  const each = apis.map((api) => apiFaults(api, cluster));
  const outer = apis.map(({ index, proxy }) =>
    proxyFaults('proxy to an api', `proxy ${index}`, proxy, { requests: CHANGES, proxies: [proxy] }),
  );
  const inner = proxies.map((proxy, index) =>
    proxyFaults('proxy to PostgreSQL', `inner proxy ${index}`, proxy, { requests: [COMMITTED_WRITE], proxies }),
  );
  const perProcess = [each, outer, inner].flatMap((all) =>
    (all[0] ?? []).map((_, kind) => all.flatMap((of) => of[kind] ?? [])),
  );
  return [
    ...perProcess,
    bots.flatMap(botFaults),
    ...(postgres ? postgresFaults(postgres).map((fault) => [fault]) : []),
    ...(disk.canBeFilled ? [diskFaults(cluster)] : []),
    // At most two per round, because each blocks writers for seconds.
    ...Array.from({ length: 2 }, () => discordFaults(cluster)),
  ];
}

function choose(from: readonly Fault[], max: number): Fault[] {
  const chosen = new Map<string, Fault>();
  for (const fault of from) {
    if (chosen.size < max && !chosen.has(fault.target)) chosen.set(fault.target, fault);
  }
  return [...chosen.values()];
}
