import type { Arrived, HistoryRead, Operation, OperationKind, PastRead, Transport } from '../history.ts';
import { type Client, type OperationInput, restClient, trpcClient } from './clients.ts';
import { pastClient } from './past-client.ts';

export interface Route {
  readonly transport: Transport;
  readonly process: number;
}

export interface Recorder {
  readonly operations: readonly Operation[];
  readonly acknowledged: number;
  readonly histories: readonly HistoryRead[];
  readonly pastReads: readonly PastRead[];
  readonly arrived: readonly Arrived[];
  /** Returns the revision of a guild in the last response; 0 unless there is one. */
  current(guild: string): number;
  changes(guild: string): readonly number[];
  run(route: Route, input: OperationInput & { readonly floor?: number }): Promise<Operation>;
  readHistory(process: number, guild: string, parts: { readonly limit: number; readonly count: number }): Promise<void>;
  readPast(process: number, guild: string, at: number): Promise<void>;
}

export interface RecorderOptions {
  readonly urls: readonly string[];
  readonly tokens: { readonly user: string; readonly application: string };
  readonly replicasOf: (guild: string) => readonly (number | undefined)[];
}

/** Acknowledged changes of a guild that may be undone or restored. */
const MAX_CHANGES = 8;

export function createRecorder({ urls, tokens, replicasOf }: RecorderOptions): Recorder {
  const clients = urls.map(
    (url): Record<Transport, Client> => ({
      rest: restClient(url, tokens.user),
      trpc: trpcClient(url, tokens.application),
    }),
  );
  const past = urls.map((url) => pastClient(url, tokens.user));
  const operations: Operation[] = [];
  let acknowledged = 0;
  const histories: HistoryRead[] = [];
  const pastReads: PastRead[] = [];
  const arrived: Arrived[] = [];
  const changes = new Map<string, number[]>();
  const current = new Map<string, number>();
  return {
    operations,
    get acknowledged() {
      return acknowledged;
    },
    histories,
    pastReads,
    arrived,
    changes: (guild) => changes.get(guild) ?? [],
    current: (guild) => current.get(guild) ?? 0,
    async run({ transport, process }, { floor, ...input }) {
      const client = clients[process]?.[transport];
      const { undo, restore, erase, waits: _waits, ...own } = input;
      const target = undo ?? restore;
      if (client === undefined) throw new RangeError(`there is no process ${process}`);
      const known = current.get(input.guild) ?? 0;
      const start = performance.now();
      const { isLive, ...result } = await client(input);
      if (isLive && result.outcome.kind === 'ok') {
        // An erasure, whose revision is not in its response, comes after every revision that was known before.
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
    async readHistory(process, guild, parts) {
      const start = performance.now();
      const read = await past[process]?.history(guild, parts);
      if (read !== undefined) histories.push({ guild, process, start, end: performance.now(), ...read });
    },
    async readPast(process, guild, at) {
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
