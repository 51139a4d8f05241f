import { anyGuild, anyGuildId, anyPatch } from '@guild-settings/testing/arbitraries';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_SETTINGS, Guild, GuildSettings } from './guild.ts';
import { fieldsOf, GuildPatch, GuildPatchInput } from './guild-patch.ts';
import { SPECIFIED } from './settings/specified.ts';
import { isOfShard } from './snowflake.ts';

const FIELDS = ['id', 'name', 'icon', ...Object.keys(SPECIFIED)];

describe('the guild record', () => {
  test('has the id and what Discord owns, then the settings of the specification', () => {
    expect(Object.keys(Guild.shape)).toEqual(FIELDS);
  });

  test('survives a round trip through JSON unchanged, whatever its valid values', () => {
    fc.assert(
      fc.property(anyGuild, (guild) => {
        const text = JSON.stringify(guild);
        expect(JSON.stringify(Guild.parse(JSON.parse(text)))).toBe(text);
      }),
    );
  });

  test('needs every field: there are no defaults in the schema', () => {
    fc.assert(
      fc.property(anyGuild, fc.constantFrom(...FIELDS), (guild, field) => {
        const { [field as keyof Guild]: _dropped, ...rest } = guild;
        expect(Guild.safeParse(rest).success).toBe(false);
      }),
    );
  });

  test('has defaults that are valid settings', () => {
    expect(GuildSettings.parse(DEFAULT_SETTINGS)).toEqual(DEFAULT_SETTINGS);
  });
});

describe('a PATCH', () => {
  test('never invents a field, over the procedure input either, and has as settings what Discord does not own', () => {
    fc.assert(
      fc.property(anyPatch, (patch) => {
        expect(GuildPatch.parse(patch)).toEqual(patch);
        const { id: _id, ...fields } = patch;
        const input = { ...fields, guild: '197038439483310086' };
        expect(GuildPatchInput.parse(input)).toEqual(input);
        const { name: _name, icon: _icon, ...settings } = fields;
        expect(fieldsOf(patch)).toEqual(settings);
      }),
    );
  });

  test('is refused by the code point that is not shown, and a record that has it is read', () => {
    const settings = { ...DEFAULT_SETTINGS, prefix: '!\u200b', enabledFeatures: ['a\u2066b'] };
    const { error } = GuildPatch.safeParse(settings);
    const expected = 'expected no invisible characters except in emoji and between letters that they join, received';
    expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['prefix', `${expected} U+200B`],
      ['enabledFeatures.0', `${expected} U+2066`],
    ]);
    const record = { id: '197038439483310086', name: 'Tea', icon: null, ...settings };
    expect(Guild.parse(record)).toEqual(record);
  });
});

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
