import { expect, test } from 'vitest';
import { readTransferConfig } from '../src/config.ts';
import { createImporter } from '../src/service/importer.ts';
import { startService } from './testing/service.ts';

test('a rate limit is waited for as long as the service requests, and a signal ends the wait', async () => {
  await using service = await startService({ RATE_LIMIT_PER_MINUTE: '2' });
  const stop = new AbortController();
  const waits: { seconds: number; reason: string }[] = [];
  const importer = createImporter({
    config: readTransferConfig(service.env),
    reason: undefined,
    onBehalfOf: undefined,
    signal: stop.signal,
    onWait(seconds, reason) {
      waits.push({ seconds, reason });
      stop.abort(new Error('enough'));
    },
  });
  const guilds = [{ guild: '197038439483310086', settings: { prefix: '?' } }];
  const [first] = await importer.send(guilds, false);
  expect(first).toEqual({ guild: '197038439483310086', changes: { prefix: { from: '!', to: '?' } } });
  expect(await importer.send(guilds, false)).toMatchObject([{ changes: {} }]);
  await expect(importer.send(guilds, false)).rejects.toThrow('enough');
  expect(waits).toEqual([{ seconds: expect.any(Number), reason: expect.stringContaining('Too many requests') }]);
  // Longer than the client itself waits.
  expect(waits[0]?.seconds).toBeGreaterThan(10);
});
