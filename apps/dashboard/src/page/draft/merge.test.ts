import type { RecordSettings } from '@guild-settings/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasSameFeatures, SCALAR_FIELDS } from './fields.ts';
import { merge } from './merge.ts';

// Few values, so that both sides often choose the same.
const anySettings: fc.Arbitrary<RecordSettings> = fc.record({
  prefix: fc.constantFrom('!', '?', ''),
  language: fc.constantFrom('en-US', 'hi', 'a-later-language'),
  announcement_channel: fc.constantFrom('', '381870553235193857', '381870553235193858'),
  beta: fc.boolean(),
  enabledFeatures: fc.uniqueArray(fc.constantFrom('reminders', 'polls', '__proto__', 'constructor')),
});

/** Settings without the order of features, which means nothing. */
const meant = (settings: RecordSettings) => ({ ...settings, enabledFeatures: [...settings.enabledFeatures].sort() });

describe('merge of two versions of the settings', () => {
  it('is the one version where the other is as before', () => {
    fc.assert(
      fc.property(anySettings, anySettings, (base, other) => {
        expect(merge(base, base, other)).toEqual({ settings: expect.anything(), conflicts: [] });
        expect(meant(merge(base, base, other).settings)).toEqual(meant(other));
        expect(merge(base, other, base)).toEqual({ settings: other, conflicts: [] });
      }),
    );
  });

  it('is what both made of it, where they made the same', () => {
    fc.assert(
      fc.property(anySettings, anySettings, (base, both) => {
        expect(merge(base, both, both)).toEqual({ settings: both, conflicts: [] });
      }),
    );
  });

  it('does not depend on who was first, where no field is in conflict', () => {
    fc.assert(
      fc.property(anySettings, anySettings, anySettings, (base, theirs, mine) => {
        const [one, other] = [merge(base, theirs, mine), merge(base, mine, theirs)];
        expect(one.conflicts).toEqual(other.conflicts);
        for (const field of SCALAR_FIELDS) {
          if (one.conflicts.includes(field)) {
            expect([one.settings[field], other.settings[field]]).toEqual([mine[field], theirs[field]]);
          } else expect(one.settings[field]).toBe(other.settings[field]);
        }
        expect(hasSameFeatures(one.settings.enabledFeatures, other.settings.enabledFeatures)).toBe(true);
      }),
    );
  });

  it('changes nothing when it is repeated', () => {
    fc.assert(
      fc.property(anySettings, anySettings, anySettings, (base, theirs, mine) => {
        const once = merge(base, theirs, mine).settings;
        expect(merge(base, theirs, once).settings).toEqual(once);
        expect(merge(theirs, theirs, once)).toEqual({ settings: once, conflicts: [] });
      }),
    );
  });

  it('keeps each feature that one has switched on and the other has not touched, and drops those switched off', () => {
    const of = (...enabledFeatures: string[]): RecordSettings => ({
      prefix: '!',
      language: 'en-US',
      announcement_channel: '',
      beta: false,
      enabledFeatures,
    });
    const merged = merge(of('polls', 'quotes'), of('quotes', 'polls', 'theirs'), of('quotes', 'mine'));
    expect(merged).toEqual({ settings: of('quotes', 'theirs', 'mine'), conflicts: [] });
  });

  it('has mine in a conflict, and names the field', () => {
    const base = { prefix: '!', language: 'en-US', announcement_channel: '', beta: false, enabledFeatures: [] };
    const merged = merge(base, { ...base, prefix: '?', language: 'hi' }, { ...base, prefix: '$', beta: true });
    expect(merged).toEqual({ settings: { ...base, prefix: '$', language: 'hi', beta: true }, conflicts: ['prefix'] });
  });
});
