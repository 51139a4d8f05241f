import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DatedRevision, revisionAt } from './revision-at.ts';

/** A history with the oldest change first. Returns reads as the service does, and counts them. */
function historyOf(changes: readonly DatedRevision[]) {
  let reads = 0;
  return {
    get reads() {
      return reads;
    },
    async readNewest(before = Number.POSITIVE_INFINITY): Promise<DatedRevision | undefined> {
      reads += 1;
      return changes.findLast(({ revision }) => revision < before);
    },
  };
}

const histories = fc
  .uniqueArray(fc.integer({ min: 1, max: 5_000 }), { maxLength: 40 })
  .map((revisions) =>
    revisions.sort((a, b) => a - b).map((revision) => ({ revision, atMs: Math.floor(revision / 3) })),
  );

test('finds the newest change that was made until a time, in any history', async () => {
  await fc.assert(
    fc.asyncProperty(histories, fc.integer({ min: -1, max: 1_800 }), async (changes, atMs) => {
      const { readNewest } = historyOf(changes);
      expect(await revisionAt(atMs, readNewest)).toBe(changes.findLast((change) => change.atMs <= atMs)?.revision);
    }),
  );
});

test('needs some forty requests for the largest revisions that there are', async () => {
  const history = historyOf([
    { revision: 1, atMs: 0 },
    { revision: Number.MAX_SAFE_INTEGER, atMs: 10 },
  ]);
  expect(await revisionAt(5, history.readNewest)).toBe(1);
  expect(history.reads).toBeLessThan(60);
});
