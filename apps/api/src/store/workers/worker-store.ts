import type { SqliteReader } from '../sqlite/sqlite-reader.ts';
import type { Store, StoreCommand, WriteOutcome } from '../store.ts';
import { decodeOutcome, type EncodedOutcome } from './encoded-errors.ts';
import { CALLED_METHODS, type RefusalCodec } from './messages.ts';
import type { StoreClient } from './store-client.ts';

interface WorkerStoreOptions {
  readonly reader: SqliteReader;
  readonly client: StoreClient;
  readonly refusals: RefusalCodec;
}

/** Returns the store of a worker: it reads the file itself, and has the first process do everything else. */
export function workerStore<Command extends StoreCommand>({
  reader,
  client,
  refusals,
}: WorkerStoreOptions): Store<Command> {
  const called = Object.fromEntries(
    CALLED_METHODS.map((name) => [name, (...args: readonly unknown[]) => client.call(name, args)]),
  ) as Pick<Store<Command>, (typeof CALLED_METHODS)[number]>;
  async function writeAll(commands: readonly Command[]): Promise<readonly WriteOutcome[]> {
    const outcomes = (await client.call('writeAll', [commands])) as readonly EncodedOutcome[];
    return outcomes.map((outcome) => decodeOutcome(outcome, refusals));
  }
  return {
    ...reader,
    ...called,
    writeAll,
    async write(command) {
      const [outcome] = await writeAll([command]);
      if (outcome === undefined) throw new Error('Expected an outcome for each write');
      if ('refusal' in outcome) throw outcome.refusal;
      return outcome.result;
    },
    broadcast: async (message) => client.broadcast(message),
    load: () => ({ waitingWrites: client.pending }),
    close: async () => reader.close(),
  };
}
