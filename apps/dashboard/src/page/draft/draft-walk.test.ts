import type { GuildSettings, RecordSettings } from '@guild-settings/contract';
import { printedSeed, repetitions } from '@guild-settings/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesOf, type Draft, viewOf } from './draft.ts';
import { pick, SCALAR_FIELDS, type ScalarField, type Scalars, withFeatures } from './fields.ts';
import { received } from './saving.ts';
import type { DraftModel } from './testing/draft-model.ts';
import { anyWalk, FEATURES, Walk } from './testing/walk.ts';

test('a draft shows what the person set over what others change, through saves, refusals, erasures and reloads', () => {
  const seed = printedSeed('draft');
  fc.assert(
    fc.property(anyWalk, (steps) => {
      const walk = new Walk();
      for (const step of steps) {
        walk.take(step);
        const { settings, conflicts, featureConflicts } = viewOf(walk.draft);
        const expected = walk.model.shown();
        expect({ ...settings, enabledFeatures: new Set(settings.enabledFeatures) }).toEqual(expected);
        expect(conflicts).toEqual(walk.model.conflicts());
        expect(new Set(featureConflicts)).toEqual(new Set(walk.model.featureConflicts()));
        expect(changesOf(walk.draft)).toEqual(differenceOf(walk.model));
        if (walk.request === undefined) expectNoEditOfStored(walk.draft);
      }
    }),
    { seed, numRuns: repetitions(200, 50_000) },
  );
});

/**
 * Expects that what is shown as the service has it is no unsaved change: the next change of others is shown, and is no conflict.
 * It reads the draft alone, because the model may have the same mistake.
 */
function expectNoEditOfStored(draft: Draft): void {
  const { theirs } = draft;
  const { settings } = viewOf(draft);
  const same = SCALAR_FIELDS.filter((field) => settings[field] === theirs.settings[field]);
  const isOn = (name: string, { enabledFeatures }: RecordSettings) => enabledFeatures.includes(name);
  const sameFeatures = FEATURES.filter((name) => isOn(name, settings) === isOn(name, theirs.settings));
  const switched = new Map(sameFeatures.map((name) => [name, !isOn(name, theirs.settings)]));
  const changed = {
    ...theirs.settings,
    ...pick({ prefix: 'of others', language: 'ja', announcement_channel: '2', beta: !theirs.settings.beta }, same),
    enabledFeatures: withFeatures(theirs.settings.enabledFeatures, switched),
  };
  const later = viewOf(received(draft, { ...theirs, settings: changed, upTo: theirs.upTo + 1 }));
  expect(later.conflicts.filter((field) => same.includes(field))).toEqual([]);
  expect(pick(later.settings, same)).toEqual(pick(changed, same));
  expect(sameFeatures.map((name) => isOn(name, later.settings))).toEqual(
    sameFeatures.map((name) => isOn(name, changed)),
  );
}

/** Returns the fields that the person sees with another value than the service has, as far as the page has received it. */
function differenceOf(model: DraftModel): Partial<Record<keyof GuildSettings, unknown>> {
  const shown = model.shown();
  const scalars = SCALAR_FIELDS.filter((field) => shown[field] !== model.theirs[field]);
  const had = new Set(model.theirs.enabledFeatures);
  const isSame = had.size === shown.enabledFeatures.size && [...had].every((name) => shown.enabledFeatures.has(name));
  const differences: [string, Scalars[ScalarField] | unknown][] = scalars.map((field) => [field, shown[field]]);
  return Object.fromEntries(
    isSame ? differences : [...differences, ['enabledFeatures', expect.arrayContaining([...shown.enabledFeatures])]],
  );
}
