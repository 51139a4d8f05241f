import { createHash } from 'node:crypto';
import type { Shard } from '@guild-settings/contract';

/** Characters of one run of shards: its first id, its last id, and the shard count less one. Each has 16 bits. */
const WIDTH = 3;

/** Shards of one count with successive ids. */
interface Run {
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

/** Packs shards into a string, sorted by count and id: objects would take ten times as much memory. */
export function packShards(shards: readonly Shard[]): string {
  const runs: Run[] = [];
  for (const { id, count } of shards.toSorted((a, b) => a.count - b.count || a.id - b.id)) {
    const run = runs.at(-1);
    if (run?.count === count && run.last === id - 1) runs[runs.length - 1] = { ...run, last: id };
    else runs.push({ first: id, last: id, count });
  }
  return String.fromCharCode(...runs.flatMap(({ first, last, count }) => [first, last, count - 1]));
}

/** Returns the shards that were packed. */
export function unpackShards(packed: string): readonly Shard[] {
  const shards: Shard[] = [];
  for (const { first, last, count } of runsOf(packed))
    for (let id = first; id <= last; id += 1) shards.push({ id, count });
  return shards;
}

/** Returns whether a shard is one of those that were packed. */
export function includesShard(packed: string, { id, count }: Shard): boolean {
  for (let at = 0; at < packed.length; at += WIDTH) {
    const isWithin = packed.charCodeAt(at) <= id && id <= packed.charCodeAt(at + 1);
    if (isWithin && packed.charCodeAt(at + 2) + 1 === count) return true;
  }
  return false;
}

/**
 * Returns a number of 48 bits that is the same in every process for the same shards, in whichever order. Processes of several versions
 * compare it: packing in another way needs another field of their messages.
 */
export function digestShards(packed: string): number {
  return createHash('sha256').update(packed, 'utf16le').digest().readUIntBE(0, 6);
}

function* runsOf(packed: string): Generator<Run> {
  for (let at = 0; at < packed.length; at += WIDTH) {
    yield { first: packed.charCodeAt(at), last: packed.charCodeAt(at + 1), count: packed.charCodeAt(at + 2) + 1 };
  }
}
