import { setTimeout as delay } from 'node:timers/promises';
import { tokenOf } from '@guild-settings/discord-sim/testing/world';
import type { Arrived, HistoryRead, Operation, OperationKind, PastRead, Seen, Transport } from '../history.ts';
import { type Client, type HistoryParts, type OperationInput, pastClient, restClient, trpcClient } from './clients.ts';

type RecordedInput = OperationInput & { readonly floor?: number };

export type Recorder = ReturnType<typeof createRecorder>;

/** Acknowledged changes of a guild that may be undone or restored. */
const MAX_CHANGES = 8;

/**
 * Records every operation and its outcome.
 * @param replicasOf returns the revision of a guild in the replica of each bot; undefined: none
 */
export function createRecorder(
  urls: readonly string[],
  replicasOf: (guild: string) => readonly (number | undefined)[],
) {
  const clients = urls.map(
    (url): Record<Transport, Client> => ({
      rest: restClient(url, tokenOf('owner')),
      trpc: trpcClient(url, tokenOf('application')),
    }),
  );
  const past = urls.map((url) => pastClient(url, tokenOf('owner')));
  const operations: Operation[] = [];
  let acknowledged = 0;
  const histories: HistoryRead[] = [];
  const pastReads: PastRead[] = [];
  const arrived: Arrived[] = [];
  const changes = new Map<string, number[]>();
  const current = new Map<string, number>();
  return {
    operations,
    get acknowledged(): number {
      return acknowledged;
    },
    histories,
    pastReads,
    arrived,
    changes: (guild: string): readonly number[] => changes.get(guild) ?? [],
    /** Returns the revision of a guild in the last response; 0 unless there is one. */
    current: (guild: string): number => current.get(guild) ?? 0,
    async run(
      { transport, process }: Pick<Operation, 'transport' | 'process'>,
      { floor, ...input }: RecordedInput,
    ): Promise<Operation> {
      const client = clients[process]?.[transport];
      const { undo, restore, erase, waits: _waits, ...own } = input;
      const target = undo ?? restore;
      if (client === undefined) throw new RangeError(`there is no process ${process}`);
      const known = current.get(input.guild) ?? 0;
      const start = performance.now();
      const { isLive, ...result } = await client(input);
      if (isLive && result.outcome.kind === 'ok') {
        // An erasure, whose revision is not in its response, is later than every revision that was known before.
        const revision = erase ? known + 1 : result.outcome.seen.revision;
        arrived.push({ guild: input.guild, revision, replicas: replicasOf(input.guild) });
      }
      const operation: Operation = {
        kind: kindOf(input),
        ...own,
        ...(target !== undefined && { target }),
        ...(floor !== undefined && { floor }),
        transport,
        process,
        start,
        end: performance.now(),
        ...result,
      };
      operations.push(operation);
      const { outcome, guild } = operation;
      if (outcome.kind === 'ok') acknowledged += 1;
      if (outcome.kind === 'ok') current.set(guild, outcome.seen.revision);
      if (outcome.kind === 'ok' && outcome.seen.revision > 0 && operation.kind !== 'read' && operation.kind !== 'erase')
        changes.set(guild, [...(changes.get(guild) ?? []), outcome.seen.revision].slice(-MAX_CHANGES));
      return operation;
    },
    async readHistory(process: number, guild: string, parts: HistoryParts): Promise<void> {
      const start = performance.now();
      const read = await past[process]?.history(guild, parts);
      if (read !== undefined) histories.push({ guild, process, start, end: performance.now(), ...read });
    },
    async readPast(process: number, guild: string, at: number): Promise<void> {
      const start = performance.now();
      const seen = await past[process]?.record(guild, at);
      if (seen !== undefined)
        pastReads.push({ guild, process, start, at, seen: seen === 'unknown' ? undefined : seen });
    },
  };
}

function kindOf({ erase, mark, undo, restore, feature }: OperationInput): OperationKind {
  if (erase) return 'erase';
  if (mark === undefined) return 'read';
  if (feature !== undefined) return 'switch';
  if (undo !== undefined) return 'undo';
  return restore === undefined ? 'write' : 'restore';
}

const MAX_TRIES = 30;

/**
 * Runs an operation over REST until it succeeds, and returns the record. The first requests may meet closed
 * connections. Each attempt adds a suffix to the mark, so that it is unique.
 * @throws Error when the service keeps refusing
 */
export async function retry(recorder: Recorder, process: number, { mark, ...input }: OperationInput): Promise<Seen> {
  let last = '';
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const own = mark !== undefined && { mark: `${mark}-${recorder.operations.length}` };
    const { outcome } = await recorder.run({ transport: 'rest', process }, { ...input, ...own });
    if (outcome.kind === 'ok') return outcome.seen;
    last = outcome.why;
    await delay(200);
  }
  throw new Error(`Process ${process} refuses requests though no fault is active: ${last}`);
}
