import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ProblemError } from '@guild-settings/contract';
import { describe, expect, test } from 'vitest';
import { AcknowledgementPace } from './acknowledgement-pace.ts';
import { TrackedCommit } from './tracked-commit.ts';
import type { Watcher, WatcherOptions } from './watcher.ts';
import { Watchers } from './watchers.ts';

const GUILD = '197038439483310086';
const HOUR_MS = 3_600_000;

function start() {
  const clock = { ms: 1_000_000 };
  const forgotten: Watcher[] = [];
  const now = () => clock.ms;
  const watchers = new Watchers({ nowMs: now, monotonicMs: now }, (watcher) => forgotten.push(watcher));
  return { clock, forgotten, watchers };
}

/** A process of a bot with four shards of 40,000. */
function optionsOf(index: number): WatcherOptions {
  const shards = [0, 1, 2, 3].map((shard) => ({ id: 4 * index + shard, count: 40_000 }));
  const name = `bot-${index}, shards ${4 * index}-${4 * index + 3} of 40000`;
  // As they are received: V8 keeps the parts of a text that was put together.
  return JSON.parse(JSON.stringify({ id: `a8098c1a-f86e-11da-bd1a-${String(index).padStart(12, '0')}`, name, shards }));
}

const collectGarbage = () => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
};

describe('the registered watchers', () => {
  test('10,000 of them take less than 10 MB, each with commits that it has not acknowledged', () => {
    const { watchers } = start();
    const commits = Array.from({ length: 32 }, (_, revision) => new TrackedCommit(0, revision + 1));
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let index = 0; index < 10_000; index += 1) {
      const { watcher } = watchers.register(optionsOf(index));
      for (const commit of commits) watcher.expect(commit, 0);
    }
    collectGarbage();
    const bytes = process.memoryUsage().heapUsed - before;
    expect(watchers.size).toBe(10_000);
    expect(bytes).toBeLessThan(10_000_000);
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
    const { clock, forgotten, watchers } = start();
    const { watcher } = watchers.register({ ...optionsOf(0), shards: [{ id: 0, count: 1 }] });
    const commit = new TrackedCommit(clock.ms, 5);
    watcher.expect(commit, 0);
    clock.ms += HOUR_MS + 10_000;
    watchers.forgetExpired();
    expect(forgotten).toEqual([watcher]);
    expect([...watchers.of(GUILD)]).toEqual([]);
    expect(commit.latencyMs).toBeNull();
  });

  test('one that has acknowledged a change before this process knew of it gives its latency', () => {
    const { clock, watchers } = start();
    const { watcher } = watchers.register(optionsOf(0));
    const commit = new TrackedCommit(clock.ms, 5);
    watcher.acknowledge(5, [], clock.ms);
    clock.ms += 3;
    watcher.expect(commit, clock.ms);
    expect(commit.latencyMs).toBe(3);
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
