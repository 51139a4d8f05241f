import type { SettingValues } from '@guild-settings/contract/settings';
import { printedSeed, repetitions } from '@guild-settings/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesOf, type Draft, received, viewOf } from './draft.ts';
import { type DraftField, featureField, valueIn, withValues } from './fields.ts';
import { fieldsOf, SCALAR_FIELDS } from './testing/draft-model.ts';
import { anyWalk, FEATURES, Walk } from './testing/walk.ts';

const FIELDS: readonly DraftField[] = [...SCALAR_FIELDS, ...FEATURES.map(featureField)];

/** Values that the service has from others. */
const OF_OTHERS = { prefix: 'of others', language: 'ja', announcement_channel: '2' } as const;

test('a draft shows what the person set over what others change, through saves, refusals, erasures and reloads', () => {
  const seed = printedSeed('draft');
  fc.assert(
    fc.property(anyWalk, (steps) => {
      const walk = new Walk();
      for (const step of steps) {
        walk.take(step);
        const { settings, conflicts } = viewOf(walk.draft);
        expect(fieldsOf(settings)).toEqual(walk.model.shown());
        expect(new Set(conflicts)).toEqual(walk.model.conflicts());
        expectDifference(walk.draft);
        if (walk.request === undefined) expectNoEditOfStored(walk.draft);
      }
    }),
    { seed, numRuns: repetitions(200, 50_000) },
  );
});

/** Expects that the change to send makes of the service's settings those that the page shows, and names no others. */
function expectDifference(draft: Draft): void {
  const { settings } = viewOf(draft);
  // The steps reset no setting to its default.
  const { custom: _, ...changes } = changesOf(draft) as SettingValues;
  expect(fieldsOf({ ...draft.theirs.settings, ...changes })).toEqual(fieldsOf(settings));
  for (const [name, value] of Object.entries(changes)) {
    expect(fieldsOf({ ...settings, [name]: value })).toEqual(fieldsOf(settings));
    expect(fieldsOf({ ...draft.theirs.settings, [name]: value })).not.toEqual(fieldsOf(draft.theirs.settings));
  }
}

/**
 * Expects that what is shown as the service has it is no unsaved change: the next change of others is shown, and is no conflict.
 * It reads the draft alone, because the model may have the same mistake.
 */
function expectNoEditOfStored(draft: Draft): void {
  const { theirs } = draft;
  const { settings } = viewOf(draft);
  const same = FIELDS.filter((field) => valueIn(settings, field) === valueIn(theirs.settings, field));
  const others = same.map(
    (field) => [field, OF_OTHERS[field as keyof typeof OF_OTHERS] ?? !valueIn(theirs.settings, field)] as const,
  );
  const changed = withValues(theirs.settings, new Map(others));
  const later = viewOf(received(draft, { ...theirs, settings: changed, upTo: theirs.upTo + 1 }));
  expect(later.conflicts.filter((field) => same.includes(field))).toEqual([]);
  expect(same.map((field) => valueIn(later.settings, field))).toEqual(same.map((field) => valueIn(changed, field)));
}
