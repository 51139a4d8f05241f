import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { ProblemError } from '@guild-settings/contract';
import { temporaryFile } from '@guild-settings/testing';
import { describe, expect, test } from 'vitest';
import { WritePermissionExpiredError } from '../../auth/write-permission.ts';
import { GuildChangedError, isRefusal } from '../../domain/apply-command.ts';
import { REFUSAL_CODEC } from '../../domain/refusal-codec.ts';
import { describeStore } from '../../testing/store-behaviour.ts';
import { openTestSqlite, REFUSAL, type TestCommand, type TestStore } from '../../testing/store-commands.ts';
import type { StoreResource } from '../../testing/store-resource.ts';
import { openSqliteReader } from '../sqlite/sqlite-reader.ts';
import { StoreUnavailableError, WriteUnconfirmedError } from '../store.ts';
import { decodeError, encodeError } from './encoded-errors.ts';
import type { RefusalCodec, StoreMessage, WorkerMessage } from './messages.ts';
import { StoreClient } from './store-client.ts';
import { StoreServer, type WorkerLink } from './store-server.ts';
import { workerStore } from './worker-store.ts';

const REFUSALS: RefusalCodec = {
  encode: (error) => (error === REFUSAL ? 'refused' : undefined),
  decode: () => REFUSAL,
};

/** Passes a message on as processes do, in a later iteration of the event loop. */
function sent<Message>(receive: (message: Message) => void): (message: Message) => void {
  return (message) => {
    const bytes = serialize(message);
    setImmediate(() => receive(deserialize(bytes) as Message));
  };
}

/** Opens a file as the first process, and a worker's store on it. */
function openWorker(path: string): TestStore {
  const opened = openTestSqlite(path);
  const server = new StoreServer(opened, { refusals: REFUSALS, onCommit: () => {}, onMessage: () => {} });
  const link: WorkerLink = server.connect(sent((message: StoreMessage) => client.receive(message)));
  const send = sent((message: WorkerMessage) => link.receive(message));
  const client = new StoreClient({ send, refusals: REFUSALS, onCommit: () => {}, onMessage: () => {} });
  const store = workerStore<TestCommand>({ reader: openSqliteReader(path), client, refusals: REFUSALS });
  return {
    ...store,
    async close() {
      await store.close();
      await opened.close();
    },
  };
}

describeStore('worker', async (): Promise<StoreResource> => {
  const folder = await mkdtemp(join(tmpdir(), 'guild-settings-worker-'));
  const path = join(folder, 'test.db');
  let store = openWorker(path);
  return {
    get store() {
      return store;
    },
    async reopen() {
      await store.close();
      store = openWorker(path);
      return store;
    },
    async [Symbol.asyncDispose]() {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
});

describe('errors of the first process', () => {
  const received = (error: unknown) =>
    decodeError(deserialize(serialize(encodeError(error, REFUSAL_CODEC))), REFUSAL_CODEC);

  test('are the same refusals in a worker', () => {
    const options = { retryAfter: 7, revision: 3, detail: 'why', conflicts: [] };
    const problem = received(new ProblemError('revision-mismatch', { ...options, cause: new Error('inside') }));
    expect(problem).toBeInstanceOf(ProblemError);
    expect(problem).toMatchObject({ slug: 'revision-mismatch', message: 'why', options });
    expect(received(new WritePermissionExpiredError())).toBeInstanceOf(WritePermissionExpiredError);
    expect(received(new GuildChangedError())).toBeInstanceOf(GuildChangedError);
    expect(isRefusal(problem)).toBe(true);
  });

  test('are the same failures of the store, and others stay errors', () => {
    expect(received(new StoreUnavailableError('full'))).toMatchObject({
      name: 'StoreUnavailableError',
      message: 'full',
    });
    const cause = new Error('no space left on device');
    expect(received(new WriteUnconfirmedError('lost', { cause }))).toMatchObject({ cause: { message: cause.message } });
    expect(received(new WriteUnconfirmedError('lost'))).toBeInstanceOf(WriteUnconfirmedError);
    const other = new TypeError('broken');
    expect(received(other)).toMatchObject({ message: 'broken', stack: other.stack });
    expect(isRefusal(received(other))).toBe(false);
  });
});

test('a watcher that has connected since is not deleted by a process that has not read its row yet', async () => {
  using file = temporaryFile();
  const store = openWorker(file.path);
  const row = { name: 'a', shards: [{ id: 0, count: 1 }] };
  const known = await store.watchersVersion();
  await store.saveWatchers(['connected', 'away'].map((id) => ({ ...row, id, leftAt: id === 'away' ? 1 : null })));
  const ids = async () => (await store.readWatchers()).map(({ id }) => id);
  await store.deleteWatchers(['connected', 'away'], known);
  expect(await ids()).toEqual(['connected']);
  await store.deleteWatchers(['connected'], await store.watchersVersion());
  expect(await ids()).toEqual([]);
  await store.close();
});
