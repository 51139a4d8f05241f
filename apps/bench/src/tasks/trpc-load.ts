import { setTimeout as delay } from 'node:timers/promises';
import type { AppRouter } from '@guild-settings/client';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { handleJobs } from './task.ts';

/** Some seconds of calls by tRPC's typed client, in batches. */
export interface TrpcJob {
  readonly origin: string;
  readonly token?: string;
  readonly ids: readonly string[];
  readonly seconds: number;
}

/** Calls per request, and concurrent requests. */
const BATCH = 10;
const CONNECTIONS = 16;

handleJobs<TrpcJob, number>(async ({ origin, token, ids, seconds }) => {
  const client = createTRPCClient<AppRouter>({
    links: [
      httpBatchLink({
        url: `${origin}/trpc`,
        maxItems: BATCH,
        ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
      }),
    ],
  });
  let completed = 0;
  const started = performance.now();
  const until = started + seconds * 1_000;
  const repeat = async (first: number) => {
    // Requests that begin at the same time would be one batch.
    await delay(first % 10);
    for (let request = first; performance.now() < until; request += CONNECTIONS) {
      // The link sends simultaneous calls as one request.
      const calls = Array.from({ length: BATCH }, (_, call) => ids[(request * BATCH + call) % ids.length] ?? '');
      await Promise.all(calls.map((guild) => client.guilds.get.query({ guild })));
      completed += BATCH;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => repeat(index)));
  return completed / ((performance.now() - started) / 1_000);
});
