import { setTimeout as delay } from 'node:timers/promises';
import type { AppRouter } from '@guild-settings/api';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import type { LoadAnswer, TrpcJob } from './jobs.ts';

/** A program that calls a procedure by the typed client as fast as it is answered, each time it is told to. */
process.on('message', (job: TrpcJob) => {
  load(job).then(
    (perSecond) => process.send?.({ perSecond } satisfies LoadAnswer),
    (error: unknown) => process.send?.({ error: String(error) } satisfies LoadAnswer),
  );
});

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
  let answered = 0;
  const started = performance.now();
  const ask = async (first: number) => {
    for (let turn = first; !isOver; turn += connections) {
      // Calls of one moment are one request.
      const calls = Array.from({ length: batch }, (_, call) => ids[(turn * batch + call) % ids.length] ?? '');
      await Promise.all(calls.map((guild) => client.guilds.get.query({ guild })));
      answered += batch;
    }
  };
  const asking = Promise.all(
    Array.from({ length: connections }, (_, index) => delay(index % 10).then(() => ask(index))),
  );
  await Promise.race([delay(seconds * 1_000), asking]);
  isOver = true;
  const perSecond = answered / ((performance.now() - started) / 1_000);
  await asking;
  return perSecond;
}
