import fc from 'fast-check';
import type { Guild } from '../../contract/src/guild.ts';
import type { GuildPatch } from '../../contract/src/guild-patch.ts';
import { LANGUAGES } from '../../contract/src/languages.ts';
import { LIMITS } from '../../contract/src/limits.ts';
import { SPECIFIED } from '../../contract/src/settings/specified.ts';
import { anyCharacter } from './any-character.ts';

/** Text without control and invisible characters, with its length in code points. */
const plain = (limits: { minLength?: number; maxLength: number }) =>
  fc
    .string({ unit: anyCharacter, ...limits })
    .map((value) => value.replaceAll(/[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, '·'));

export const anyGuildId = fc
  .tuple(fc.integer({ min: 17, max: 19 }), fc.bigInt({ min: 0n, max: 10n ** 19n - 1n }))
  .map(([length, value]) => value.toString().padStart(19, '9').slice(0, length));

export const anyGuild: fc.Arbitrary<Guild> = fc
  .tuple(
    anyGuildId,
    fc.string({ unit: anyCharacter }),
    fc.option(fc.string()),
    plain({ maxLength: LIMITS.prefix }).map((prefix) => prefix.trimStart()),
    plain({ maxLength: SPECIFIED.announcement_channel.anyText }),
    fc.boolean(),
    fc.constantFrom(...LANGUAGES),
    fc.array(plain({ minLength: 1, maxLength: LIMITS.featureName }), { maxLength: LIMITS.features }),
  )
  .map(([id, name, icon, prefix, announcement_channel, beta, language, enabledFeatures]) => ({
    id,
    name,
    icon,
    prefix,
    announcement_channel,
    beta,
    language,
    enabledFeatures,
  }));

export const anyPatch: fc.Arbitrary<GuildPatch> = anyGuild.chain((guild) =>
  fc.subarray(Object.entries(guild)).map((entries) => Object.fromEntries(entries) as GuildPatch),
);
