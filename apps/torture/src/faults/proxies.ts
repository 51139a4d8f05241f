import type { RequestMatch, TcpProxy } from '@guild-settings/testing';
import type { Random } from '../random.ts';
import { type Fault, randomDelay } from './fault.ts';

/** A proxy, and the kinds of requests that lose their responses behind it. */
export interface ProxyFaultsOptions {
  readonly name: string;
  readonly target: string;
  readonly proxy: TcpProxy;
  /** The requests of which one kind loses its responses, on all of these proxies. */
  readonly losing: { readonly requests: readonly RequestMatch[]; readonly proxies: readonly TcpProxy[] };
}

/** The range includes the response timeout of the load's clients. */
const REFUSING_MS = { min: 2_000, max: 9_000 };

export function proxyFaults({ name, target, proxy, losing }: ProxyFaultsOptions): Fault[] {
  const fault = (kind: string, inject: (random: Random) => Promise<void>): Fault => ({
    name: `${name} ${kind}`,
    target,
    inject: (_cluster, random) => inject(random),
  });
  return [
    fault('cut', async (random) => {
      for (let times = random.between(1, 4); times > 0; times--) {
        proxy.cut();
        await randomDelay(random, 50, 400);
      }
    }),
    fault('delayed', async (random) => {
      proxy.delay(random.between(30, 400));
      await randomDelay(random, 500, 1_500);
      proxy.delay(0);
    }),
    fault('half closed', async (random) => {
      proxy.halfClose(random.pick(['to server', 'to client']));
      await randomDelay(random, 100, 500);
    }),
    fault('losing responses', async (random) => {
      const times = random.between(2, 12);
      const request = random.pick(losing.requests);
      for (const one of losing.proxies) one.loseResponses(request, { count: times });
      await randomDelay(random, 500, 1_500);
      for (const one of losing.proxies) one.loseResponses(request, { count: 0 });
    }),
    fault('losing a response, then refusing', async (random) => {
      proxy.loseResponses(random.pick(losing.requests), { thenRefuse: true });
      await randomDelay(random, REFUSING_MS.min, REFUSING_MS.max);
      proxy.restore();
    }),
  ];
}
