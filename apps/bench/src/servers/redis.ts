import { freePort, type Program } from '@guild-settings/testing';
import type { BenchContext } from '../context.ts';
import { isInstalled, startPlaced } from './program.ts';

/** Starts Redis without files; undefined where it is not installed. */
export async function startRedis({
  folder,
  resources,
}: BenchContext): Promise<{ readonly url: string; readonly program: Program } | undefined> {
  if (!isInstalled('redis-server')) return undefined;
  const port = await freePort();
  const program = resources.use(
    startPlaced({
      file: 'redis-server',
      isNode: false,
      args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder],
      place: 'server',
    }),
  );
  await program.waitForOutput(/Ready to accept connections/);
  return { url: `http://127.0.0.1:${port}`, program };
}
