import { setTimeout as delay } from 'node:timers/promises';
import { tokenOf } from '@guild-settings/sandbox/world';
import type { Anomalies } from './checker/anomalies.ts';
import { check } from './checker/check.ts';
import { type Cluster, type StoreKind, startCluster } from './cluster/cluster.ts';
import { isRetired } from './cluster/retired.ts';
import { torment } from './faults/nemesis.ts';
import type { Operation, Snapshot } from './history.ts';
import { startLoad } from './load/load.ts';
import { createRecorder, type Recorder } from './load/recorder.ts';
import { createWatcher, type Watcher } from './load/watcher.ts';
import { putOlderCopyBack } from './older-copy.ts';
import { type Random, randomOf } from './random.ts';
import { quiet, toldLate } from './settle.ts';

export interface TortureOptions {
  readonly store: StoreKind;
  readonly rounds: number;
  readonly seed: number;
  /** The api's built program; the workspace's unless given. */
  readonly apiMain?: string | undefined;
  readonly signal?: AbortSignal;
  readonly onProgress?: (line: string) => void;
}

/** What a run did and found. */
export interface TortureReport {
  readonly store: StoreKind;
  readonly seed: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly operations: number;
  /** Operations that the service answered as asked, and how many of them were writes. */
  readonly acknowledged: number;
  readonly acknowledgedWrites: number;
  readonly unknown: number;
  readonly refused: number;
  /** How often each kind of fault was inflicted. */
  readonly faults: Readonly<Record<string, number>>;
  /** What could not be done here, and what was seen that breaks no promise. */
  readonly notes: readonly string[];
  readonly anomalies: Anomalies;
}

/** A watcher that is told of a record looks it up once in so many times. */
const LOOK_UP = 1 / 50;

/** Tortures the service on a store, and judges what came of it. Everything that it started is gone at the end. */
export async function torture(options: TortureOptions): Promise<TortureReport> {
  const { store, rounds, seed, apiMain, signal = new AbortController().signal, onProgress = () => {} } = options;
  const started = performance.now();
  const random = randomOf(seed);
  const faults: Record<string, number> = {};
  await using cluster = await startCluster({ store, apiMain });
  const recorder = createRecorder({
    urls: cluster.apis.map(({ url }) => url),
    tokens: { person: tokenOf('owner'), application: tokenOf('application') },
  });
  await using watching = startWatching(cluster, recorder, random.fork());
  const { watchers } = watching;
  const load = startLoad({ recorder, guilds: cluster.guilds, processes: cluster.apis.length, random: random.fork() });
  try {
    await delay(1_000);
    const onRound = (round: number, names: readonly string[]) => {
      for (const name of names) faults[name] = (faults[name] ?? 0) + 1;
      onProgress(`round ${round} of ${rounds}: ${names.join(', ')}; ${tally(recorder.operations)}`);
    };
    await torment({ cluster, rounds, random: random.fork(), signal, onRound });
  } finally {
    await load.stop();
  }
  signal.throwIfAborted();
  onProgress('quiet');
  await quiet(cluster, watchers);
  const late = await toldLate(cluster, watchers, recorder);
  await watching.idle();
  const { snapshot, watched } = await quiet(cluster, watchers);
  const crashes = () => [...cluster.apis.flatMap((api) => [...api.crashes]), ...cluster.bot.crashes];
  const operations = [...recorder.operations];
  const anomalies = check({
    operations,
    snapshot,
    watched: watched.map((one) => ({ ...one, told: one.told.filter(({ guild }) => !isRetired(guild)) })),
    mayBeGone: (revision) => cluster.retired.has(revision),
    late,
    crashes: crashes(),
  });
  signal.throwIfAborted();
  onProgress('an older copy is put back');
  const differences = await putOlderCopyBack(cluster, watchers, recorder);
  return {
    store,
    seed,
    rounds,
    seconds: Math.round((performance.now() - started) / 1_000),
    ...counts(operations),
    faults: { ...faults, 'older copy put back': 1 },
    notes: [...notesOn(cluster), ...retentionNotes(cluster, snapshot)],
    anomalies: { ...anomalies, watchers: [...anomalies.watchers, ...differences], crashes: crashes() },
  };
}

/** One watcher at each process. Some of what they are told is looked up at once: it must be there, whoever is asked. */
function startWatching({ apis }: Cluster, recorder: Recorder, random: Random) {
  const lookUps = new Set<Promise<unknown>>();
  const onTold = (guild: string, floor: number) => {
    if (isRetired(guild) || !random.chance(LOOK_UP)) return;
    const lookUp = recorder
      .ask({ door: 'rest', process: random.between(0, apis.length - 1) }, { guild, floor })
      .finally(() => lookUps.delete(lookUp));
    lookUps.add(lookUp);
  };
  const token = tokenOf('application');
  const watchers: Watcher[] = apis.map(({ index, url }) =>
    createWatcher({ name: `watcher ${index}`, url, token, onTold }),
  );
  for (const watcher of watchers) watcher.start();
  const idle = async () => void (await Promise.all(lookUps));
  return {
    watchers,
    idle,
    async [Symbol.asyncDispose]() {
      await Promise.all(watchers.map((watcher) => watcher.stop()));
      await idle();
    },
  };
}

function retentionNotes({ retired }: Cluster, { guilds }: Snapshot): string[] {
  if (retired.count === 0) return [];
  const left = [...guilds.keys()].filter(isRetired).length;
  return [`retention erased ${retired.count - left} of ${retired.count} guilds that were due`];
}

function notesOn({ disk, bot }: Cluster): string[] {
  const starts = bot.failedStarts.length;
  return [
    ...(disk.canBeFilled ? [] : ['disk full was left out: mounting a small disk is not permitted here']),
    ...(starts > 0 ? [`the bot gave up ${starts} times before it was connected, and was started again`] : []),
  ];
}

function counts(operations: readonly Operation[]) {
  const of = (kind: Operation['outcome']['kind']) => operations.filter(({ outcome }) => outcome.kind === kind);
  return {
    operations: operations.length,
    acknowledged: of('ok').length,
    acknowledgedWrites: of('ok').filter(({ kind }) => kind === 'write').length,
    unknown: of('unknown').length,
    refused: of('refused').length,
  };
}

function tally(operations: readonly Operation[]): string {
  const { acknowledgedWrites, acknowledged, unknown, refused } = counts(operations);
  return `${acknowledged} acknowledged (${acknowledgedWrites} writes), ${unknown} unknown, ${refused} refused`;
}
