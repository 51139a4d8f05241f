import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { queryPostgres, startProgram, temporaryFolder, waitUntil } from './index.ts';

const MODULE = JSON.stringify(new URL('./postgres.ts', import.meta.url));

// Node 22 does not parse `using`, and the process has the sources as they are.
test.skipIf(process.version.startsWith('v22.'))(
  'a server ends, and its data goes, with a process that is killed',
  async () => {
    using folder = temporaryFolder();
    // PostgreSQL may run as another user.
    await chmod(folder.path, 0o755);
    const script = `const { startPostgresServer } = await import(${MODULE});
    const { port } = await startPostgresServer(${JSON.stringify(folder.path)});
    console.log('port', port);`;
    await using starter = startProgram({ args: ['--input-type=module', '--eval', script] });
    const [, port] = await starter.waitForOutput(/port (\d+)/);
    const ask = () => queryPostgres(`postgres://postgres:postgres@127.0.0.1:${port}/postgres`, 'SELECT 1 AS one');
    expect(await ask()).toEqual([{ one: 1 }]);
    await starter.end('SIGKILL');
    const isRefused = () =>
      ask().then(
        () => false,
        (error: { readonly code?: string }) => error.code === 'ECONNREFUSED',
      );
    await waitUntil(isRefused, { message: 'the end of the server' });
    await waitUntil(() => !existsSync(folder.file('postgres')), { message: 'the end of its data' });
  },
);
