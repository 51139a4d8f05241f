import { expect, test, vi } from 'vitest';
import { SessionStreams } from './session-streams.ts';

test('thousands of sessions are checked in queries of some hundreds, and those that are over have no stream', async () => {
  const queried: number[] = [];
  const streams = new SessionStreams(async (idHashes) => {
    queried.push(idHashes.length);
    return idHashes.filter((idHash) => idHash !== '1234').map((idHash) => ({ idHash }));
  });
  const onEnd = vi.fn();
  for (let n = 0; n < 2_000; n++) streams.open(String(n), () => onEnd(n));
  await streams.check();
  streams.close();
  expect(onEnd.mock.calls).toStrictEqual([[1_234]]);
  expect(Math.max(...queried)).toBeLessThan(1_000);
});
