import { setTimeout as delay } from 'node:timers/promises';
import { ANOMALIES, type AnomalyKind, check, countOf } from './checker/check.ts';
import { type Cluster, type StoreKind, startCluster } from './cluster/cluster.ts';
import { runNemesis } from './faults/nemesis.ts';
import { isRetired, type Operation, type Snapshot } from './history.ts';
import { startLoad } from './load/load.ts';
import { createRecorder, type Recorder } from './load/recorder.ts';
import { createWatcher } from './load/watcher.ts';
import { Random } from './random.ts';
import { lateWatchers, restoreOlderBackup, waitForAgreement } from './settle.ts';

export interface TortureOptions {
  readonly store: StoreKind;
  readonly rounds: number;
  readonly seed: number;
  /** The api's built main.js; that of this repository unless given. */
  readonly apiMain?: string | undefined;
  readonly signal?: AbortSignal;
  readonly onProgress?: (line: string) => void;
}

export type TortureReport = Awaited<ReturnType<typeof torture>>;

const READ_BACK_PROBABILITY = 1 / 50;

/** Runs the service under load while faults are injected, and checks the history. Stops everything that it started. */
export async function torture(options: TortureOptions) {
  const { store, rounds, seed, apiMain, signal = new AbortController().signal, onProgress = () => {} } = options;
  const started = performance.now();
  const random = new Random(seed);
  const faults: Record<string, number> = {};
  await using cluster = await startCluster(store, apiMain);
  const recorder = createRecorder(
    cluster.apis.map(({ url }) => url),
    (guild) => cluster.bots.map((bot) => bot.revisionOf(guild)),
  );
  await using watching = startWatching(cluster, recorder, random.fork());
  const { watchers } = watching;
  const load = startLoad(cluster, recorder, random.fork());
  try {
    await delay(1_000);
    const onRound = (round: number, names: readonly string[]) => {
      for (const name of names) faults[name] = (faults[name] ?? 0) + 1;
      const { acknowledged, acknowledgedWrites, unknown, refused } = counts(recorder.operations);
      const tally = `${acknowledged} acknowledged (${acknowledgedWrites} writes), ${unknown} unknown, ${refused} refused`;
      onProgress(`round ${round} of ${rounds}: ${names.join(', ')}; ${tally}`);
    };
    await runNemesis(cluster, recorder, { rounds, random: random.fork(), signal, onRound });
  } finally {
    await load.stop();
  }
  signal.throwIfAborted();
  onProgress('no more faults');
  await waitForAgreement(cluster, watchers);
  const late = await lateWatchers(cluster, watchers, recorder);
  await watching.idle();
  for (const [index, guild] of cluster.guilds.entries()) {
    const limit = index % 2 === 0 ? 3 : 100;
    await recorder.readHistory(index % cluster.apis.length, guild, { limit, count: Number.POSITIVE_INFINITY });
  }
  const { snapshot, watched } = await waitForAgreement(cluster, watchers);
  const crashes = () => [...cluster.apis, ...cluster.bots].flatMap((node) => node.crashes);
  const operations = [...recorder.operations];
  const anomalies = check({
    operations,
    histories: recorder.histories,
    pastReads: recorder.pastReads,
    arrived: recorder.arrived,
    erasable: cluster.erasable,
    snapshot,
    watched: watched.map((one) => ({ ...one, received: one.received.filter(({ guild }) => !isRetired(guild)) })),
    mayBeGone: (revision) => cluster.retired.has(revision),
    late,
    crashes: crashes(),
  });
  signal.throwIfAborted();
  onProgress('restoring an older copy');
  const { differences, resurrected } = await restoreOlderBackup(cluster, watchers, recorder);
  return {
    store,
    seed,
    rounds,
    seconds: Math.round((performance.now() - started) / 1_000),
    ...counts(operations),
    live: recorder.arrived.length,
    faults: { ...faults, 'older copy restored': 1 },
    notes: notesOn(cluster, snapshot),
    anomalies: {
      ...anomalies,
      watchers: [...anomalies.watchers, ...differences],
      resurrected: [...anomalies.resurrected, ...resurrected],
      crashes: crashes(),
    },
  };
}

/**
 * Starts a watcher at each process. Some records are read back at once, from any process: they must be visible there.
 */
function startWatching({ apis }: Cluster, recorder: Recorder, random: Random) {
  const readBacks = new Set<Promise<unknown>>();
  const onRecord = (guild: string, floor: number) => {
    if (isRetired(guild) || !random.chance(READ_BACK_PROBABILITY)) return;
    const readBack = recorder
      .run({ transport: 'rest', process: random.between(0, apis.length - 1) }, { guild, floor })
      .finally(() => readBacks.delete(readBack));
    readBacks.add(readBack);
  };
  const watchers = apis.map(({ index, url }) => createWatcher(`watcher ${index}`, url, onRecord));
  for (const watcher of watchers) watcher.start();
  const idle = async () => void (await Promise.all(readBacks));
  return {
    watchers,
    idle,
    async [Symbol.asyncDispose]() {
      await Promise.all(watchers.map((watcher) => watcher.stop()));
      await idle();
    },
  };
}

function notesOn({ disk, bots, retired }: Cluster, { guilds }: Snapshot): string[] {
  const starts = bots.flatMap((bot) => bot.failedStarts).length;
  const left = [...guilds.keys()].filter(isRetired).length;
  return [
    ...(disk.canBeFilled ? [] : ['disk full was left out: mounting a file system is not permitted here']),
    ...(starts > 0 ? [`a bot gave up ${starts} times before it was connected, and was started again`] : []),
    ...(retired.count > 0 ? [`retention erased ${retired.count - left} of ${retired.count} guilds that were due`] : []),
  ];
}

function counts(operations: readonly Operation[]) {
  const of = (kind: Operation['outcome']['kind']) => operations.filter(({ outcome }) => outcome.kind === kind);
  return {
    operations: operations.length,
    acknowledged: of('ok').length,
    acknowledgedWrites: of('ok').filter(({ kind }) => kind !== 'read').length,
    acknowledgedErasures: of('ok').filter(({ kind }) => kind === 'erase').length,
    acknowledgedSwitches: of('ok').filter(({ kind }) => kind === 'switch').length,
    unknown: of('unknown').length,
    refused: of('refused').length,
  };
}

const MAX_EXAMPLES = 5;

export function textReport(report: TortureReport): string {
  const { anomalies, faults, notes } = report;
  const injected = Object.values(faults).reduce((sum, times) => sum + times, 0);
  const kinds = Object.keys(ANOMALIES) as AnomalyKind[];
  const total = countOf(anomalies);
  const rows: [string, string | number][] = [
    ['store', report.store],
    ['seed', report.seed],
    ['rounds', report.rounds],
    ['seconds', report.seconds],
    ['operations', report.operations],
    [
      'acknowledged',
      `${report.acknowledged}, of which ${report.acknowledgedWrites} writes, ${report.acknowledgedErasures} of them erasures, ${report.acknowledgedSwitches} switches`,
    ],
    ['live', report.live],
    ['unknown', report.unknown],
    ['refused', report.refused],
    ['faults', injected],
    ...Object.entries(faults)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, times]): [string, number] => [`  ${name}`, times]),
    ['anomalies', total],
    ...kinds.map((kind): [string, number] => [`  ${ANOMALIES[kind]}`, anomalies[kind].length]),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const table = rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
  const found = kinds.flatMap((kind) =>
    anomalies[kind].slice(0, MAX_EXAMPLES).map((one) => `✗ ${ANOMALIES[kind]}: ${one}`),
  );
  const verdict =
    total === 0
      ? '✓ Every guarantee held.'
      : `✗ Guarantees were broken. To repeat: npx --yes pnpm@12 torture --store ${report.store} --rounds ${report.rounds} --seed ${report.seed}`;
  return [...table, ...notes.map((one) => `note: ${one}`), '', ...found, verdict].join('\n');
}
