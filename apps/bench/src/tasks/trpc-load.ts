import { setTimeout as delay } from 'node:timers/promises';
import type { AppRouter } from '@guild-settings/api';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { handleJobs } from './task.ts';

/** Some seconds of calls by tRPC's typed client, in batches. */
export interface TrpcJob {
  readonly origin: string;
  readonly token?: string;
  readonly ids: readonly string[];
  /** Calls per request. */
  readonly batch: number;
  /** Concurrent requests. */
  readonly connections: number;
  readonly seconds: number;
}

/** Returns calls per second. */
handleJobs<TrpcJob, number>(load);

async function load({ origin, token, ids, batch, connections, seconds }: TrpcJob): Promise<number> {
  const client = createTRPCClient<AppRouter>({
    links: [
      httpBatchLink({
        url: `${origin}/trpc`,
        maxItems: batch,
        ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
      }),
    ],
  });
  let isOver = false;
  let completed = 0;
  const started = performance.now();
  const repeat = async (first: number) => {
    for (let request = first; !isOver; request += connections) {
      // The link sends simultaneous calls as one request.
      const calls = Array.from({ length: batch }, (_, call) => ids[(request * batch + call) % ids.length] ?? '');
      await Promise.all(calls.map((guild) => client.guilds.get.query({ guild })));
      completed += batch;
    }
  };
  const requesting = Promise.all(
    Array.from({ length: connections }, (_, index) => delay(index % 10).then(() => repeat(index))),
  );
  await Promise.race([delay(seconds * 1_000), requesting]);
  isOver = true;
  const perSecond = completed / ((performance.now() - started) / 1_000);
  await requesting;
  return perSecond;
}
