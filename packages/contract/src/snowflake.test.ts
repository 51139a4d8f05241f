import { anyGuildId } from '@guild-settings/testing/arbitraries';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GuildId, isOfShard } from './snowflake.ts';

describe('a guild id', () => {
  test.each(['12345678901234567', '123456789012345678', '9999999999999999999'])('%s is one', (id) => {
    expect(GuildId.parse(id)).toBe(id);
  });

  test.each([
    ['sixteen digits', '1234567890123456'],
    ['twenty digits', '12345678901234567890'],
    ['Arabic-Indic digits', '١٢٣٤٥٦٧٨٩٠١٢٣٤٥٦٧'],
    ['a line break at the end', '12345678901234567\n'],
    ['a number', 1234567890123456],
  ])('%s is none', (_name, id) => {
    expect(GuildId.safeParse(id).success).toBe(false);
  });

  test('belongs to exactly one shard of any count', () => {
    fc.assert(
      fc.property(anyGuildId, fc.integer({ min: 1, max: 32 }), (id, count) => {
        const shards = Array.from({ length: count }, (_, shard) => ({ id: shard, count }));
        expect(shards.filter((shard) => isOfShard(id, shard))).toHaveLength(1);
      }),
    );
  });
});
