import type { GuildSettings, RecordSettings } from '@guild-settings/contract';
import { printedSeed, repetitions } from '@guild-settings/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changesOf, type Draft, draftOf, hasConflict, type Theirs, viewOf } from './draft.ts';
import { edit, reset, resolve, resolveFeature, switchFeature } from './edits.ts';
import { pick, SCALAR_FIELDS, type ScalarField, type Scalars, withFeatures } from './fields.ts';
import { received, refused, saved, sent, undone } from './saving.ts';
import { storeDraft, storedDraft } from './stored-draft.ts';
import { DraftModel } from './testing/draft-model.ts';
import { ModelledService } from './testing/modelled-service.ts';

const FEATURES = ['reminders', 'polls', '__proto__'];

// Few values, so that people often choose the same, and the one of before.
const anyValue = fc.oneof(
  fc.record({ field: fc.constant('prefix' as const), value: fc.constantFrom('!', '?', '$') }),
  fc.record({ field: fc.constant('language' as const), value: fc.constantFrom('en-US' as const, 'hi' as const) }),
  fc.record({ field: fc.constant('announcement_channel' as const), value: fc.constantFrom('', '381870553235193857') }),
  fc.record({ field: fc.constant('beta' as const), value: fc.boolean() }),
);

const anyFeatures = fc.subarray(FEATURES);

const anyStep = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('edit' as const), set: anyValue }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('switch' as const),
      name: fc.constantFrom(...FEATURES),
      isOn: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('colleague' as const), set: anyValue }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('colleague-features' as const), features: anyFeatures }) },
  { weight: 5, arbitrary: fc.constant({ kind: 'event' as const }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'send' as const }) },
  // Others may change the same before the answer arrives.
  { weight: 2, arbitrary: fc.constant({ kind: 'make' as const }) },
  // Whether the request is lost on its way, or its answer.
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      lost: fc.constantFrom('no', 'no', 'no', 'request', 'answer'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'erase' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'reset' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'reload' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('resolve' as const),
      value: fc.constantFrom('mine' as const, 'theirs' as const),
    }),
  },
);
type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never;

/** A save that a change of the same setting overtakes, and what the person does before the answer. */
const anyOvertakenSave: fc.Arbitrary<Step[]> = fc
  .tuple(fc.array(anyStep, { maxLength: 3 }), fc.array(anyStep, { maxLength: 3 }))
  .map(([before, after]) => [
    { kind: 'edit', set: { field: 'prefix', value: '?' } },
    { kind: 'send' },
    ...before,
    { kind: 'make' },
    { kind: 'colleague', set: { field: 'prefix', value: '$' } },
    { kind: 'event' },
    { kind: 'event' },
    ...after,
    { kind: 'answer', lost: 'no' },
  ]);

/** The same of a feature, which the other person switches back. */
const anySwitchedBack: fc.Arbitrary<Step[]> = fc
  .tuple(fc.array(anyStep, { maxLength: 3 }), fc.array(anyStep, { maxLength: 3 }), fc.constantFrom('no', 'answer'))
  .map(([before, after, lost]) => [
    { kind: 'switch', name: 'polls', isOn: true },
    { kind: 'send' },
    { kind: 'make' },
    { kind: 'event' },
    ...before,
    { kind: 'colleague-features', features: [] },
    { kind: 'event' },
    { kind: 'event' },
    ...after,
    { kind: 'answer', lost },
  ]);

const anyWalk = fc
  .array(
    fc.oneof(
      {
        weight: 15,
        arbitrary: anyStep.map((step) => [step]),
      },
      { weight: 1, arbitrary: anyOvertakenSave },
      { weight: 1, arbitrary: anySwitchedBack },
    ),
    { minLength: 1, maxLength: 60 },
  )
  .map((parts) => parts.flat());

/** A page with its draft, a colleague at the service, and the model of what the person expects. */
class Walk {
  readonly service = new ModelledService();
  readonly model = new DraftModel(this.service.now.settings);
  draft: Draft = draftOf(this.service.now);
  request: { readonly changes: Partial<GuildSettings>; readonly ifMatch: number; readonly made?: Theirs } | undefined;
  readonly #kept = new Map<string, string>();

  take(step: Step): void {
    switch (step.kind) {
      case 'edit':
        this.draft = edit<ScalarField>(this.draft, step.set.field, step.set.value);
        this.model.edit(step.set.field, step.set.value);
        return;
      case 'switch':
        this.draft = switchFeature(this.draft, step.name, step.isOn);
        this.model.switchFeature(step.name, step.isOn);
        return;
      case 'colleague':
        this.service.patch({ [step.set.field]: step.set.value });
        return;
      case 'colleague-features':
        this.service.patch({ enabledFeatures: step.features });
        return;
      case 'event':
        this.#receive();
        return;
      case 'send':
        this.#send();
        return;
      case 'make':
        this.#make();
        return;
      case 'answer':
        this.#answer(step.lost);
        return;
      case 'erase':
        this.service.erase();
        return;
      case 'reset':
        this.draft = reset(this.draft);
        this.model.reset();
        return;
      case 'reload':
        this.#reload();
        return;
      case 'resolve':
        for (const field of viewOf(this.draft).conflicts) {
          this.draft = resolve(this.draft, field, step.value);
          this.model.resolve(field, step.value);
        }
        for (const name of viewOf(this.draft).featureConflicts) {
          this.draft = resolveFeature(this.draft, name, step.value);
          this.model.resolveFeature(name, step.value);
        }
    }
  }

  #hear(): void {
    this.model.hear(this.draft.theirs.settings);
  }

  #receive(): void {
    const event = this.service.nextEvent();
    if (event === undefined) return;
    this.draft = received(this.draft, event);
    this.#hear();
  }

  #send(): void {
    const changes = changesOf(this.draft);
    if (this.request !== undefined || Object.keys(changes).length === 0 || hasConflict(viewOf(this.draft))) return;
    this.request = { changes, ifMatch: this.draft.theirs.revision };
    this.draft = sent(this.draft);
    this.model.send(changes);
  }

  #make(): void {
    if (this.request === undefined || this.request.made !== undefined) return;
    const made = this.service.patch(this.request.changes, this.request.ifMatch);
    if (made !== undefined) this.request = { ...this.request, made };
  }

  #answer(lost: string): void {
    if (lost !== 'request') this.#make();
    if (this.request === undefined) return;
    const { made } = this.request;
    this.request = undefined;
    if (lost !== 'no') this.draft = refused(this.draft);
    else if (made === undefined) this.draft = refused(this.draft, this.service.now);
    else this.draft = saved(this.draft, made);
    this.model.answered(made !== undefined && lost === 'no');
    this.#hear();
  }

  #reload(): void {
    // What is on its way then has no one to answer to.
    if (this.request !== undefined) return;
    const storage = {
      getItem: (key: string) => this.#kept.get(key) ?? null,
      setItem: (key: string, value: string) => void this.#kept.set(key, value),
      removeItem: (key: string) => void this.#kept.delete(key),
    };
    storeDraft(storage, 'draft', this.draft);
    this.draft = storedDraft(storage, 'draft', this.service.now);
    while (this.service.nextEvent() !== undefined);
    this.#hear();
  }
}

describe('a draft', () => {
  it('shows what the person set over what others change, through saves, refusals, erasures and reloads', () => {
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
      { seed, numRuns: repetitions(400, 50_000) },
    );
  });

  const theirs = new ModelledService().now;
  const at = (revision: number, settings: Partial<GuildSettings>) => ({
    settings: { ...theirs.settings, ...settings },
    revision,
    upTo: revision,
    changedBy: {},
  });

  it('has no change where the value is set back', () => {
    const draft = edit(edit(draftOf(theirs), 'prefix', '?'), 'prefix', '!');
    expect(changesOf(draft)).toEqual({});
    expect(viewOf(received(draft, at(1, { prefix: '$' }))).settings.prefix).toBe('$');
  });

  it('has no conflict with what was typed back to the saved value while a change that is refused was on its way', () => {
    const typedBack = edit(sent(edit(draftOf(theirs), 'prefix', '?')), 'prefix', '!');
    const switchedBack = switchFeature(sent(switchFeature(typedBack, 'polls', true)), 'polls', false);
    const draft = received(refused(switchedBack), at(1, { prefix: '$', enabledFeatures: ['polls'] }));
    expect(viewOf(draft)).toMatchObject({ settings: { prefix: '$', enabledFeatures: ['polls'] }, conflicts: [] });
  });

  it('stays in conflict while the person types on, also when the value of before is typed', () => {
    let draft = received(edit(draftOf(theirs), 'prefix', '!!'), at(1, { prefix: '?' }));
    draft = edit(draft, 'prefix', '!');
    expect(viewOf(draft)).toMatchObject({ settings: { prefix: '!' }, conflicts: ['prefix'] });
    expect(changesOf(resolve(draft, 'prefix', 'mine'))).toEqual({ prefix: '!' });
    expect(changesOf(resolve(draft, 'prefix', 'theirs'))).toEqual({});
  });

  it('has no conflict any more when others set the value of before, whatever was typed meanwhile', () => {
    const inConflict = received(edit(draftOf(theirs), 'prefix', '!!'), at(1, { prefix: '?' }));
    const typed = edit(edit(inConflict, 'prefix', '!'), 'prefix', '$');
    expect(viewOf(typed).conflicts).toEqual(['prefix']);
    expect(viewOf(received(typed, at(2, { prefix: '!' })))).toMatchObject({ settings: { prefix: '$' }, conflicts: [] });
  });

  it('keeps what is typed while a change is on its way', () => {
    const sending = sent(edit(draftOf(theirs), 'prefix', '?'));
    const typedBack = edit(sending, 'prefix', '!');
    const draft = saved(typedBack, at(1, { prefix: '?' }));
    expect(viewOf(draft)).toMatchObject({ settings: { prefix: '!' }, conflicts: [] });
    expect(changesOf(draft)).toEqual({ prefix: '!' });
  });

  it('does not take the event of its own change for that of another', () => {
    const sending = edit(sent(edit(draftOf(theirs), 'prefix', '?')), 'prefix', '?!');
    expect(viewOf(received(sending, at(1, { prefix: '?' }))).conflicts).toEqual([]);
  });

  describe('whose answer arrives after a later change of the same setting', () => {
    const by = { actor: { kind: 'user', id: '1' }, at: '2026-11-22T08:00:00.000Z', revision: 2 } as const;
    const sending = received(sent(edit(draftOf(theirs), 'prefix', '?')), at(1, { prefix: '?' }));
    const overtaken = received(sending, { ...at(2, { prefix: '%' }), changedBy: { prefix: by } });
    const answer = at(1, { prefix: '?' });

    it('keeps what the person decided on that change, and what they typed then', () => {
      const kept = resolve(overtaken, 'prefix', 'mine');
      expect(viewOf(saved(kept, answer))).toMatchObject({ settings: { prefix: '?' }, conflicts: [] });
      expect(changesOf(saved(kept, answer))).toEqual({ prefix: '?' });
      const typed = edit(resolve(overtaken, 'prefix', 'theirs'), 'prefix', '$');
      expect(viewOf(saved(typed, answer))).toMatchObject({ settings: { prefix: '$' }, conflicts: [] });
    });

    it('has no change without a decision: the later one is shown with its author', () => {
      const draft = saved(overtaken, answer);
      expect([changesOf(draft), draft.theirs.settings.prefix, draft.theirs.changedBy]).toEqual([
        {},
        '%',
        { prefix: by },
      ]);
    });

    it('has no change where the later one has set the value of before, which was never shown', () => {
      const setBack = received(sending, { ...at(2, { prefix: '!' }), changedBy: { prefix: by } });
      const draft = saved(setBack, answer);
      expect([changesOf(draft), draft.theirs.changedBy]).toEqual([{}, { prefix: by }]);
      expect(viewOf(saved(edit(setBack, 'prefix', '$'), answer)).conflicts).toEqual(['prefix']);
    });

    it('names the author of a feature that was switched off again', () => {
      const switching = sent(switchFeature(draftOf(theirs), 'polls', true));
      const off = received(switching, { ...at(2, { enabledFeatures: [] }), changedBy: { enabledFeatures: by } });
      const draft = saved(off, at(1, { enabledFeatures: ['polls'] }));
      expect([changesOf(draft), draft.theirs.changedBy]).toEqual([{}, { enabledFeatures: by }]);
    });
  });

  describe('in which a feature is switched that others switch back', () => {
    const sending = sent(switchFeature(draftOf(theirs), 'polls', true));
    const made = received(sending, at(1, { enabledFeatures: ['polls'] }));
    const back = received(made, at(2, { enabledFeatures: ['reminders'] }));

    it('is in conflict when the answer is lost: both changes are kept apart until the person decides', () => {
      const draft = refused(back);
      expect(viewOf(made).featureConflicts).toEqual([]);
      expect(viewOf(draft)).toMatchObject({ featureConflicts: ['polls'], conflicts: [] });
      expect(changesOf(resolveFeature(draft, 'polls', 'mine'))).toEqual({ enabledFeatures: ['reminders', 'polls'] });
      expect(hasConflict(viewOf(resolveFeature(draft, 'polls', 'mine')))).toBe(false);
      expect(changesOf(resolveFeature(draft, 'polls', 'theirs'))).toEqual({});
      expect(hasConflict(viewOf(switchFeature(switchFeature(draft, 'polls', false), 'polls', true)))).toBe(false);
    });

    it('has no change after the answer, unless the person has decided for their own', () => {
      const answer = at(1, { enabledFeatures: ['polls'] });
      expect(changesOf(saved(back, answer))).toEqual({});
      const kept = saved(resolveFeature(back, 'polls', 'mine'), answer);
      expect(changesOf(kept)).toEqual({ enabledFeatures: ['reminders', 'polls'] });
      expect(hasConflict(viewOf(kept))).toBe(false);
    });

    it('stays in conflict after a reload', () => {
      const storage = new Map<string, string>();
      const kept = {
        getItem: (key: string) => storage.get(key) ?? null,
        setItem: (key: string, text: string) => void storage.set(key, text),
        removeItem: () => {},
      };
      storeDraft(kept, 'draft', refused(back));
      expect(viewOf(storedDraft(kept, 'draft', back.theirs)).featureConflicts).toEqual(['polls']);
    });

    it('keeps the switch of another feature that was made while a change was on its way', () => {
      const switched = switchFeature(back, 'reminders', false);
      expect(changesOf(saved(switched, at(1, { enabledFeatures: ['polls'] })))).toEqual({ enabledFeatures: [] });
    });
  });

  it('has no conflict between what is typed during an undo and the value that the undo restores', () => {
    const typed = edit(draftOf(at(1, { prefix: '?' })), 'prefix', '$');
    const draft = undone(typed, at(2, { prefix: '!' }), { prefix: '!' });
    expect(viewOf(draft)).toMatchObject({ settings: { prefix: '$' }, conflicts: [] });
    expect(viewOf(received(draft, at(3, { prefix: '%' }))).conflicts).toEqual(['prefix']);
    const overtaken = received(typed, at(3, { prefix: '%' }));
    expect(viewOf(undone(overtaken, at(2, { prefix: '!' }), { prefix: '!' })).conflicts).toEqual(['prefix']);
    expect(viewOf(undone(typed, at(3, { prefix: '%' }), { prefix: '!' })).conflicts).toEqual(['prefix']);
    const language = edit(typed, 'language', 'hi');
    expect(viewOf(undone(language, at(2, { prefix: '!', language: 'ja' }), { prefix: '!' })).conflicts).toEqual([
      'language',
    ]);
  });

  it('is the same draft after a record that it has already, as the first event of a guild is', () => {
    const draft = edit(draftOf(at(1, { prefix: '?' })), 'prefix', '$');
    expect(received(draft, at(1, { prefix: '?' }), 'always')).toBe(draft);
    expect(received(draft, at(2, { prefix: '?' }), 'always')).not.toBe(draft);
  });

  it('does not name the author of the value before as that of another value', () => {
    const by = { actor: { kind: 'user', id: '1' }, at: '2026-11-22T08:00:00.000Z', revision: 1 } as const;
    const changed = { ...at(1, { prefix: '?', beta: true }), changedBy: { prefix: by, beta: by } };
    const draft = received(received(draftOf(theirs), changed), at(2, { prefix: '$', beta: true }));
    expect(draft.theirs.changedBy).toEqual({ beta: by });
  });

  it('ignores an answer that a later one has overtaken', () => {
    const draft = received(draftOf(at(2, { prefix: '?' })), at(1, { prefix: '$' }));
    expect(viewOf(draft).settings.prefix).toBe('?');
  });

  it('takes over an older revision where the service says that it is the one of now', () => {
    const draft = refused(edit(draftOf(at(7, { prefix: '?' })), 'beta', true), at(2, { prefix: '$' }));
    expect(viewOf(draft).settings).toMatchObject({ prefix: '$', beta: true });
  });

  it.each(['{', '[]', '{"mine":{"beta":"yes"},"base":{},"switched":[]}', '{"mine":{},"base":{},"switched":[["a"]]}'])(
    'begins anew where the browser has kept something else: %s',
    (text) => {
      const storage = { getItem: () => text, setItem: () => {}, removeItem: () => {} };
      expect(storedDraft(storage, 'draft', theirs)).toEqual(draftOf(theirs));
    },
  );
});

/**
 * Expects that what is shown as the service has it is no unsaved change: the next change of others is shown, and is no conflict.
 * It asks the draft alone, because the model may have the same mistake.
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

/** Returns the fields that the person sees with another value than the service has, as far as the page has heard. */
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
