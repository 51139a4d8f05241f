import { AuditReason, GuildSettings } from '@guild-settings/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reasonFlaw } from './flaws.ts';
import { flawsOf } from './testing/words.ts';

const anyCharacter = fc.oneof(
  fc.constantFrom(' ', 'a', '😀', '\u0000', '\u009f', '\ud800', '\u00a0', '\ufeff', '\u200d', 'क', '\u202e'),
  fc.string(),
);
const anyText = (around: number) =>
  fc.array(anyCharacter, { maxLength: around + 2 }).map((characters) => characters.join(''));

describe('the rules of the page', () => {
  it('are those of the service, for every text', () => {
    fc.assert(
      fc.property(
        anyText(20),
        fc.oneof(
          anyText(5),
          fc.integer({ min: 98, max: 102 }).map((length) => '😀'.repeat(length)),
        ),
        (prefix, announcement_channel) => {
          const settings = { prefix, announcement_channel };
          const refused = GuildSettings.pick({ prefix: true, announcement_channel: true }).safeParse(settings).error;
          const fields = new Set((refused?.issues ?? []).map(({ path }) => path[0]));
          expect(new Set(Object.keys(flawsOf(settings)))).toEqual(fields);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('are those of the service, for the reason of a change', () => {
    const long = fc.integer({ min: 511, max: 514 }).map((length) => '😀'.repeat(length));
    const reasons = fc.oneof(anyText(20), long).filter((reason) => reason !== '');
    fc.assert(
      fc.property(reasons, (reason) => {
        expect(reasonFlaw(reason) === undefined).toBe(AuditReason.safeParse(reason).success);
      }),
      { numRuns: 1_000 },
    );
  });
});
