import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ProblemError } from '@guild-settings/contract';
import { describe, expect, test } from 'vitest';
import { AcknowledgementPace } from './acknowledgement-pace.ts';
import { claimedPosition } from './claimed-position.ts';
import { CommitTimes } from './commit-times.ts';
import { Watcher, type WatcherOptions } from './watcher.ts';
import { Watchers } from './watchers.ts';

const GUILD = '197038439483310086';
const HOUR_MS = 3_600_000;

function start() {
  const clock = { ms: 1_000_000 };
  const forgotten: Watcher[] = [];
  const now = () => clock.ms;
  const commits = new CommitTimes();
  const watchers = new Watchers({ nowMs: now, monotonicMs: now }, commits, (watcher) => forgotten.push(watcher));
  return { clock, commits, forgotten, watchers };
}

/** A process of a bot with some shards of 65,536. */
function optionsOf(index: number, length = 4): WatcherOptions {
  const shards = Array.from({ length }, (_, shard) => ({ id: (length * index + shard) % 65_536, count: 65_536 }));
  const name = `bot-${index}, shards ${shards[0]?.id}-${shards.at(-1)?.id} of 65536`;
  // As they are received: V8 keeps the parts of a text that was put together.
  return JSON.parse(JSON.stringify({ id: `a8098c1a-f86e-11da-bd1a-${String(index).padStart(12, '0')}`, name, shards }));
}

const collectGarbage = () => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
};

describe('the registered watchers', () => {
  test.each([4, 16, 64, 256])(
    '10,000 of them with %i shards take less than 10 MB, with commits that they have not acknowledged, and rejections',
    (shards) => {
      const { commits, watchers } = start();
      const revisions = Array.from({ length: 32 }, (_, index) => index + 2);
      for (const revision of revisions) commits.add(revision, 0);
      collectGarbage();
      const before = process.memoryUsage().heapUsed;
      for (let index = 0; index < 10_000; index += 1) {
        const { watcher } = watchers.register(optionsOf(index, shards));
        watcher.setElsewhere('another process', true);
        const rejected = JSON.parse(
          JSON.stringify([{ guild: GUILD, revision: 1, reason: 'prefix: expected a string' }]),
        );
        const claimed = claimedPosition({ revision: 1, rejected }, 1);
        watcher.acknowledge(claimed.revision, claimed.rejected, 0);
        for (const revision of revisions) watcher.expect(revision, 0);
      }
      collectGarbage();
      const bytes = process.memoryUsage().heapUsed - before;
      expect(watchers.size).toBe(10_000);
      expect(
        watchers.rejectionRoom(new Watcher(optionsOf(0), { sinceMs: 0, leftAtMs: 0, commits, onRejections: () => {} })),
      ).toBe(0);
      expect(bytes).toBeLessThan(10_000_000);
    },
  );

  test('there is room for 10,000 rejections of all of them together', () => {
    const { watchers } = start();
    const [first, second] = [0, 1].map((index) => watchers.register(optionsOf(index)).watcher);
    const rejected = Array.from({ length: 9_990 }, () => ({ guild: GUILD, revision: 1 }));
    first?.acknowledge(1, rejected, 0);
    expect(second && watchers.rejectionRoom(second)).toBe(10);
    expect(first && watchers.rejectionRoom(first)).toBe(10_000);
    first?.acknowledge(1, [], 0);
    expect(second && watchers.rejectionRoom(second)).toBe(10_000);
  });

  test('rejections of watchers that are forgotten take no room, also when they acknowledge afterwards', () => {
    const { clock, watchers } = start();
    const { watcher } = watchers.register(optionsOf(0));
    const rejected = Array.from({ length: 9_990 }, () => ({ guild: GUILD, revision: 1 }));
    watcher.acknowledge(1, rejected, 0);
    clock.ms += HOUR_MS + 10_000;
    watchers.forgetExpired();
    const { watcher: other } = watchers.register(optionsOf(1));
    expect(watchers.rejectionRoom(other)).toBe(10_000);
    watcher.acknowledge(1, rejected, 0);
    expect(watchers.rejectionRoom(other)).toBe(10_000);
    watcher.begin(7);
    expect(watchers.rejectionRoom(other)).toBe(10_000);
  });

  test('of more than 10,000, the one that left first is forgotten, and no connected one is', () => {
    const { clock, forgotten, watchers } = start();
    for (let index = 0; index < 10_000; index += 1) {
      const { watcher } = watchers.register(optionsOf(index));
      if (index !== 7 && index !== 9) watcher.leftAtMs = undefined;
      clock.ms += 1;
    }
    watchers.register(optionsOf(10_000)).watcher.leftAtMs = undefined;
    expect(forgotten.map(({ name }) => name.split(',')[0])).toEqual(['bot-7']);
    watchers.register(optionsOf(10_001)).watcher.leftAtMs = undefined;
    expect(forgotten.map(({ name }) => name.split(',')[0])).toEqual(['bot-7', 'bot-9']);
    expect(() => watchers.register(optionsOf(10_002))).toThrow(ProblemError);
  });

  test('one that left an hour ago is forgotten, and changes are live without it', () => {
    const { clock, commits, forgotten, watchers } = start();
    const { watcher } = watchers.register({ ...optionsOf(0), shards: [{ id: 0, count: 1 }] });
    commits.add(5, clock.ms);
    watcher.expect(5, 0);
    clock.ms += HOUR_MS + 10_000;
    watchers.forgetExpired();
    expect(forgotten).toEqual([watcher]);
    expect([...watchers.of(GUILD)]).toEqual([]);
    expect(commits.latencyMs(5)).toBeNull();
  });

  test('one that has acknowledged a change before this process knew of it gives its latency', () => {
    const { clock, commits, watchers } = start();
    const { watcher } = watchers.register(optionsOf(0));
    commits.add(5, clock.ms);
    watcher.acknowledge(5, [], clock.ms);
    clock.ms += 3;
    watcher.expect(5, clock.ms);
    expect(commits.latencyMs(5)).toBe(3);
  });
});

describe('the pace of acknowledgements', () => {
  test('few active watchers wait for nothing more than their own pause', () => {
    const pace = new AcknowledgementPace(() => 0);
    expect([{}, {}, {}].map((watcher) => pace.count(watcher))).toEqual([8, 16, 24]);
  });

  test('many active watchers share 125 acknowledgements in a second, and the pause ends with the load', () => {
    let nowMs = 0;
    const pace = new AcknowledgementPace(() => nowMs);
    const many = Array.from({ length: 100 }, () => ({}));
    const pauses = many.map((watcher) => pace.count(watcher));
    expect(Math.max(...pauses)).toBe(800);
    nowMs += 1_000;
    expect(pace.count(many[0] ?? {})).toBe(800);
    nowMs += 2_000;
    expect(pace.count(many[0] ?? {})).toBe(8);
  });
});
