import type { Operation, Transport } from '../history.ts';
import { type Client, type OperationInput, restClient, trpcClient } from './clients.ts';

/** The transport and the api process of a request. */
export interface Route {
  readonly transport: Transport;
  readonly process: number;
}

/** Sends requests to the service and records them with their outcomes. */
export interface Recorder {
  readonly operations: readonly Operation[];
  /** Returns the newest revision of a guild in any response; 0 unless there is one. */
  newest(guild: string): number;
  run(route: Route, input: OperationInput & { readonly floor?: number }): Promise<Operation>;
}

export interface RecorderOptions {
  /** The URL of each api process. */
  readonly urls: readonly string[];
  readonly tokens: { readonly user: string; readonly application: string };
}

/** Creates an empty recorder. */
export function createRecorder({ urls, tokens }: RecorderOptions): Recorder {
  const clients = urls.map(
    (url): Record<Transport, Client> => ({
      rest: restClient(url, tokens.user),
      trpc: trpcClient(url, tokens.application),
    }),
  );
  const operations: Operation[] = [];
  const newest = new Map<string, number>();
  return {
    operations,
    newest: (guild) => newest.get(guild) ?? 0,
    async run({ transport, process }, { floor, ...input }) {
      const client = clients[process]?.[transport];
      if (client === undefined) throw new RangeError(`there is no process ${process}`);
      const start = performance.now();
      const result = await client(input);
      const operation: Operation = {
        kind: input.mark === undefined ? 'read' : 'write',
        ...input,
        ...(floor !== undefined && { floor }),
        transport,
        process,
        start,
        end: performance.now(),
        ...result,
      };
      operations.push(operation);
      const { outcome, guild } = operation;
      if (outcome.kind === 'ok') newest.set(guild, Math.max(newest.get(guild) ?? 0, outcome.seen.revision));
      return operation;
    },
  };
}
