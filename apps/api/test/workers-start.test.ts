import { constants } from 'node:fs';
import { copyFile, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Program, startProgram, temporaryFolder, waitUntil } from '@guild-settings/testing';
import { describe, expect, test } from 'vitest';
import { availableCores } from '../src/ops/available-cores.ts';
import { MAIN } from '../src/testing/api-process.ts';
import { IDS, startWorld } from '../src/testing/people.ts';
import { connectToEach, openPinnedClient } from '../src/testing/pinned-client.ts';
import { type ProcessWorld, processWorld } from '../src/testing/process-world.ts';

const WORKERS = 3;
const LISTENS = /listening at (http:\/\/[^"]+)"/;

test('WORKERS is the number of cores unless it is set, and at most four', async () => {
  await using world = await processWorld({ WORKERS: '' });
  const cores = Math.min(availableCores(), 4);
  const clients = await connectToEach(world, cores);
  const pids = await Promise.all(Array.from({ length: 2 * cores }, async () => (await openPinnedClient(world)).pid));
  expect(pids.every((pid) => clients.some((client) => client.pid === pid))).toBe(true);
});

test('a process that a cluster manager has started serves by itself, and stops at a signal', async () => {
  await using world = await startSurroundings();
  const manager = `
    import cluster from 'node:cluster';
    cluster.setupPrimary({ exec: ${JSON.stringify(MAIN)}, args: [] });
    const worker = cluster.fork();
    process.once('SIGTERM', () => worker.process.kill('SIGTERM'));
    worker.once('exit', (code) => process.exit(code));`;
  const file = join(world.folder, 'manager.mjs');
  await writeFile(file, manager);
  await using service = startProgram({ args: [file], env: { ...envOf(world), WORKERS: '2' } });
  const [, url = ''] = await service.waitForOutput(LISTENS);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect(await service.end('SIGTERM')).toMatchObject({ code: 0 });
});

test('a worker that is suspended is killed when the service stops, and the store is closed', async () => {
  await using world = await processWorld({ WORKERS: '2' });
  const clients = await connectToEach(world, 2);
  const worker = clients.find(({ pid }) => pid !== world.pid)?.pid ?? 0;
  process.kill(worker, 'SIGSTOP');
  expect(await world.end('SIGTERM')).toMatchObject({ code: 0 });
  expect(world.output()).toContain('a worker has not ended in time, and is killed');
});

describe('a worker that ends', () => {
  test('before it is ready fails the start, with the reason', async () => {
    await using world = await startSurroundings();
    await using service = await startChanged(
      world,
      'if (cluster.worker?.id === 2) setTimeout(() => process.exit(3), 100);',
    );
    expect(await service.exited).toEqual({ code: 1, signal: null });
    expect(service.stderr()).toContain('Expected a worker to start, but it has ended');
    expect(service.output()).not.toMatch(LISTENS);
  });

  test('when it is ready, while others start, is replaced', async () => {
    await using world = await startSurroundings();
    const pidFile = JSON.stringify(join(world.folder, 'pid'));
    await using service = await startChanged(
      world,
      `import { readFileSync, writeFileSync } from 'node:fs';
      import { setTimeout as delay } from 'node:timers/promises';
      const { send } = process;
      if (cluster.worker?.id === 1) {
        process.send = (message, ...more) => {
          if (message.type === 'ready') {
            writeFileSync(${pidFile}, String(process.pid));
            setTimeout(() => process.exit(3), 50);
          }
          return send.call(process, message, ...more);
        };
      }
      const hasEnded = () => {
        try {
          process.kill(Number(readFileSync(${pidFile}, 'utf8')), 0);
        } catch ({ code }) {
          return code === 'ESRCH';
        }
      };
      while (cluster.worker?.id === 2 && !hasEnded()) await delay(10);`,
    );
    const [, url = ''] = await service.waitForOutput(LISTENS);
    expect(service.output()).toMatch(/"code":3.*a worker has ended, and is replaced/);
    await connectToEach({ ...service, url }, WORKERS);
  });

  test('and whose program is away is started again when it is there', async () => {
    await using world = await startSurroundings();
    const file = join(world.folder, 'node');
    await copyFile(process.execPath, file, constants.COPYFILE_FICLONE);
    await using service = startProgram({ file, args: [MAIN], env: { ...envOf(world), WORKERS: '2' } });
    const [, url = ''] = await service.waitForOutput(LISTENS);
    const before = await connectToEach({ ...service, url }, 2);
    await rename(file, `${file}-away`);
    process.kill(before.find(({ pid }) => pid !== service.pid)?.pid ?? 0, 'SIGKILL');
    await service.waitForOutput(/ENOENT.*a worker could not start, and is started again/);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await rename(`${file}-away`, file);
    await connectToEach({ ...service, url }, 2);
    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});

test.skipIf(process.platform !== 'linux')(
  'SIGTERM while the workers start ends all, and nothing is served',
  async () => {
    await using world = await startSurroundings();
    await using service = await startChanged(
      world,
      'if (cluster.isWorker) await new Promise((resolve) => setTimeout(resolve, 2_000));',
    );
    const children = () => readFile(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8').catch(() => '');
    await waitUntil(async () => (await children()).trim().split(' ').length === WORKERS - 1);
    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(service.output()).toContain('"msg":"closing"');
    expect(service.output()).not.toMatch(LISTENS);
    expect(service.output()).not.toContain('aborting the requests that have not finished');
  },
);

/** Starts the service with a module that each of its processes loads first. */
async function startChanged(world: Surroundings, module: string): Promise<Program> {
  const file = join(world.folder, 'changed.mjs');
  await writeFile(file, `import cluster from 'node:cluster';\n${module}\n`);
  return startProgram({ args: ['--import', file, MAIN], env: envOf(world) });
}

function envOf({ folder, discord }: Surroundings): NodeJS.ProcessEnv {
  return {
    DATABASE_URL: `file:${join(folder, 'other.db')}`,
    DISCORD_API_URL: discord.apiUrl,
    DISCORD_APPLICATION_ID: IDS.application,
    PORT: '0',
    WORKERS: String(WORKERS),
  };
}

/** What a service needs that is started by a test. */
type Surroundings = Pick<ProcessWorld, 'folder' | 'discord'> & AsyncDisposable;

async function startSurroundings(): Promise<Surroundings> {
  const folder = temporaryFolder();
  const { discord } = await startWorld(Date.now);
  const close = async () => {
    await discord.close();
    folder[Symbol.dispose]();
  };
  return { folder: folder.path, discord, [Symbol.asyncDispose]: close };
}
