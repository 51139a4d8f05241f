import type { RequestMatch, TcpProxy } from '@guild-settings/testing';
import type { Random } from '../random.ts';
import { type Fault, some } from './fault.ts';

export interface ProxyFaultsOptions {
  /** What a report calls the proxy. */
  readonly name: string;
  readonly target: string;
  readonly proxy: TcpProxy;
  /** Marks what answers are lost to, on all of these wires. */
  readonly losing: { readonly request: RequestMatch; readonly proxies: readonly TcpProxy[] };
}

/** Milliseconds, so that sometimes whoever asked has given up before. */
const GONE = { least: 2_000, most: 9_000 };

/** Ways in which a wire can fail. */
export function proxyFaults({ name, target, proxy, losing }: ProxyFaultsOptions): Fault[] {
  const fault = (kind: string, inflict: (random: Random) => Promise<void>): Fault => ({
    name: `${name} ${kind}`,
    target,
    inflict: (_cluster, random) => inflict(random),
  });
  return [
    fault('cut', async (random) => {
      for (let times = random.between(1, 4); times > 0; times--) {
        proxy.cut();
        await some(random, 50, 400);
      }
    }),
    fault('delayed', async (random) => {
      proxy.delay(random.between(30, 400));
      await some(random, 500, 1_500);
      proxy.delay(0);
    }),
    fault('half closed', async (random) => {
      proxy.halfClose(random.pick(['to server', 'to client']));
      await some(random, 100, 500);
    }),
    fault('losing answers', async (random) => {
      const times = random.between(2, 12);
      for (const one of losing.proxies) one.loseResponses(losing.request, { count: times });
      await some(random, 500, 1_500);
      for (const one of losing.proxies) one.loseResponses(losing.request, { count: 0 });
    }),
    fault('losing an answer, then gone', async (random) => {
      proxy.loseResponses(losing.request, { thenRefuse: true });
      await some(random, GONE.least, GONE.most);
      proxy.restore();
    }),
  ];
}
