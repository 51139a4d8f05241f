import fc from 'fast-check';
import type { Guild, GuildSettings } from '../../contract/src/guild.ts';
import type { GuildPatch } from '../../contract/src/guild-patch.ts';
import { SPECIFIED_SETTINGS } from '../../contract/src/settings/declared-settings.ts';
import { itemFlaws, type Setting } from '../../contract/src/settings/setting.ts';
import type { Item } from '../../contract/src/settings/setting-declaration.ts';
import { anyCharacter } from './any-character.ts';
import { SAMPLES } from './every-kind.ts';

/** Text without control and invisible characters, with its length in code points. */
const plain = (maxLength: number) =>
  fc
    .string({ unit: anyCharacter, maxLength })
    .map((value) => value.replaceAll(/[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, '·'));

export const anyGuildId = fc
  .tuple(fc.integer({ min: 17, max: 19 }), fc.bigInt({ min: 0n, max: 10n ** 19n - 1n }))
  .map(([length, value]) => value.toString().padStart(19, '9').slice(0, length));

/** Items within the limits of a specified setting. */
function anyItem(setting: Setting): fc.Arbitrary<Item> {
  const { declared } = setting;
  const anyText = (maxLength: number) => plain(maxLength).filter((value) => itemFlaws(setting, value).length === 0);
  if (declared.open !== undefined) return anyText(declared.open);
  if (declared.anyText !== undefined) return anyText(declared.anyText);
  switch (declared.kind) {
    case 'switch':
      return fc.boolean();
    case 'text':
      return anyText(declared.max);
    case 'choice':
      return fc.constantFrom(...Object.keys(declared.choices));
    case 'integer':
    case 'duration':
    case 'number':
      return fc.constantFrom(declared.min, declared.max);
    default:
      return fc.constantFrom(...SAMPLES[declared.kind].values.flat());
  }
}

function anyValue(setting: Setting): fc.Arbitrary<unknown> {
  const { many } = setting;
  return many === undefined ? anyItem(setting) : fc.array(anyItem(setting), { maxLength: many.max });
}

const anySettings = fc.record(
  Object.fromEntries(SPECIFIED_SETTINGS.all.map((setting) => [setting.name, anyValue(setting)])),
  { noNullPrototype: true },
) as fc.Arbitrary<object> as fc.Arbitrary<GuildSettings>;

export const anyGuild: fc.Arbitrary<Guild> = fc
  .tuple(anyGuildId, fc.string({ unit: anyCharacter }), fc.option(fc.string()), anySettings)
  .map(([id, name, icon, settings]) => ({ id, name, icon, ...settings }));

export const anyPatch: fc.Arbitrary<GuildPatch> = anyGuild.chain((guild) =>
  fc.subarray(Object.entries(guild)).map((entries) => Object.fromEntries(entries) as GuildPatch),
);
