import { anyGuildId } from '@guild-settings/testing/arbitraries';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOfShard } from './snowflake.ts';

describe('a guild id', () => {
  test('belongs to exactly one shard of any count', () => {
    fc.assert(
      fc.property(anyGuildId, fc.integer({ min: 1, max: 32 }), (id, count) => {
        const shards = Array.from({ length: count }, (_, shard) => ({ id: shard, count }));
        expect(shards.filter((shard) => isOfShard(id, shard))).toHaveLength(1);
      }),
    );
  });
});
