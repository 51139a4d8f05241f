import type { RecordSettings } from '@guild-settings/contract';
import { type SettingsPatch, type SettingValues, SPECIFIED_SETTINGS } from '@guild-settings/contract/settings';
import { printedSeed, repetitions } from '@guild-settings/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  changesOf,
  type Draft,
  draftOf,
  edit,
  received,
  refused,
  reset,
  resolve,
  saved,
  sent,
  viewOf,
} from './draft.ts';
import { storeDraft, storedDraft } from './draft-store.ts';
import { type DraftField, featureField, type Theirs, valueIn, withValues } from './fields.ts';
import { ModelledService } from './testing/modelled-service.ts';

type Value = string | boolean;

const SCALAR_FIELDS = ['prefix', 'language', 'announcement_channel', 'beta'] as const;

/** Settings as field values, where each feature is a field. A disabled feature has no value. */
function fieldsOf(settings: RecordSettings): Map<DraftField, Value> {
  const features = settings.enabledFeatures.map((name): [DraftField, Value] => [`feature:${name}`, true]);
  return new Map([...SCALAR_FIELDS.map((field): [DraftField, Value] => [field, settings[field]]), ...features]);
}

const FEATURES = ['reminders', 'polls', '__proto__'];

type Step = readonly [name: string, take: (walk: Walk) => void];

// Few values, so that people often choose the same one, or the previous one.
const anyValue = fc.oneof(
  ...Object.entries({
    prefix: ['!', '?', '$'],
    language: ['en-US', 'hi'],
    announcement_channel: ['', '381870553235193857'],
    beta: [true, false],
  }).map(([field, values]) =>
    fc.constantFrom(...values).map((value): [DraftField, string | boolean] => [field as DraftField, value]),
  ),
);

const edits = (field: DraftField, value: string | boolean): Step => [
  `edit ${field}=${value}`,
  (walk) => walk.edit(field, value),
];
const changes = (settings: object): Step => [
  `colleague ${JSON.stringify(settings)}`,
  ({ service }) => void service.patch(settings),
];
const answers = (lost: string): Step => [`answer, lost: ${lost}`, (walk) => walk.answer(lost)];
const [EVENT, SEND, MAKE]: readonly [Step, Step, Step] = [
  ['event', (walk) => walk.receive()],
  ['send', (walk) => walk.send()],
  // Others may change the same setting before the answer arrives.
  ['make', (walk) => walk.make()],
];

const often = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary });
const anyStep = fc.oneof(
  often(
    6,
    anyValue.map((set) => edits(...set)),
  ),
  often(
    4,
    fc.tuple(fc.constantFrom(...FEATURES), fc.boolean()).map(([name, isOn]) => edits(featureField(name), isOn)),
  ),
  often(
    4,
    anyValue.map(([field, value]) => changes({ [field]: value })),
  ),
  often(
    2,
    fc.subarray(FEATURES).map((enabledFeatures) => changes({ enabledFeatures })),
  ),
  often(5, fc.constant(EVENT)),
  often(3, fc.constant(SEND)),
  often(2, fc.constant(MAKE)),
  // The request or its answer is lost.
  often(3, fc.constantFrom('no', 'no', 'no', 'request', 'answer').map(answers)),
  often(1, fc.constant(['erase', ({ service }) => service.erase()])),
  often(1, fc.constant(['reset', (walk) => walk.reset()])),
  often(1, fc.constant(['reload', (walk) => walk.reload()])),
  often(
    2,
    fc.constantFrom('mine' as const, 'theirs' as const).map((value) => [value, (walk) => walk.resolve(value)]),
  ),
);
const few = fc.array(anyStep, { maxLength: 3 });

/** A save that is overtaken by a change of the same setting, and the person's actions before the answer. */
const anyOvertakenSave = fc
  .tuple(few, few)
  .map(([before, after]): Step[] => [
    edits('prefix', '?'),
    SEND,
    ...before,
    MAKE,
    changes({ prefix: '$' }),
    EVENT,
    EVENT,
    ...after,
    answers('no'),
  ]);

/**
 * A save of a switched feature that another person switches back, and the actions of the first person before the
 * answer.
 */
const anySwitchedBack = fc
  .tuple(few, few, fc.constantFrom('no', 'answer'))
  .map(([before, after, lost]): Step[] => [
    edits(featureField('polls'), true),
    SEND,
    MAKE,
    EVENT,
    ...before,
    changes({ enabledFeatures: [] }),
    EVENT,
    EVENT,
    ...after,
    answers(lost),
  ]);

/** Steps of a walk in any order, mixed with those that have revealed faults. */
const anyWalk = fc
  .array(
    fc.oneof(
      { weight: 15, arbitrary: anyStep.map((step) => [step]) },
      { weight: 1, arbitrary: anyOvertakenSave },
      { weight: 1, arbitrary: anySwitchedBack },
    ),
    { minLength: 1, maxLength: 60 },
  )
  .map((parts) => parts.flat());

const FIELDS: readonly DraftField[] = [...SCALAR_FIELDS, ...FEATURES.map(featureField)];

const OF_OTHERS = { prefix: 'of others', language: 'ja', announcement_channel: '2' } as const;

test('a draft shows what the person set over what others change, through saves, refusals, erasures and reloads', () => {
  const seed = printedSeed('draft');
  fc.assert(
    fc.property(anyWalk, (steps) => {
      const walk = new Walk();
      for (const [, take] of steps) {
        take(walk);
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

/** Expects that the change to send turns the service's settings into those on the page, without other fields. */
function expectDifference(draft: Draft): void {
  const { settings } = viewOf(draft);
  // The steps do not reset settings to their defaults.
  const { custom: _, ...changes } = changesOf(draft) as SettingValues;
  expect(fieldsOf({ ...draft.theirs.settings, ...changes })).toEqual(fieldsOf(settings));
  for (const [name, value] of Object.entries(changes)) {
    expect(fieldsOf({ ...settings, [name]: value })).toEqual(fieldsOf(settings));
    expect(fieldsOf({ ...draft.theirs.settings, [name]: value })).not.toEqual(fieldsOf(draft.theirs.settings));
  }
}

/**
 * Expects that a field shown with the service's value is not an unsaved change: the next change by others is shown, and
 * is not a conflict. Only reads the draft, because the model may have the same fault.
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

/** A page with its draft, a colleague who uses the service, and the model of the person's expectations. */
class Walk {
  readonly service = new ModelledService();
  readonly model = new DraftModel(this.service.now.settings);
  draft: Draft = draftOf(this.service.now);
  request: { readonly changes: SettingsPatch; readonly ifMatch: number; readonly made?: Theirs } | undefined;
  readonly #kept = new Map<string, string>();

  edit(field: DraftField, value: string | boolean): void {
    this.draft = edit(this.draft, field, value);
    this.model.edit(field, value);
  }

  reset(): void {
    this.draft = reset(this.draft);
    this.model.reset();
  }

  resolve(value: 'mine' | 'theirs'): void {
    for (const field of viewOf(this.draft).conflicts) {
      this.draft = resolve(this.draft, field, value);
      this.model.resolve(field, value);
    }
  }

  receive(): void {
    const event = this.service.nextEvent();
    if (event === undefined) return;
    this.draft = received(this.draft, event);
    this.model.receive(this.draft.theirs.settings);
  }

  send(): void {
    const changes = changesOf(this.draft);
    if (this.request !== undefined || Object.keys(changes).length === 0 || viewOf(this.draft).conflicts.length > 0)
      return;
    this.request = { changes, ifMatch: this.draft.theirs.revision };
    this.draft = sent(this.draft);
    this.model.send();
  }

  make(): void {
    if (this.request === undefined || this.request.made !== undefined) return;
    const made = this.service.patch(this.request.changes as SettingValues, this.request.ifMatch);
    if (made !== undefined) this.request = { ...this.request, made };
  }

  answer(lost: string): void {
    if (lost !== 'request') this.make();
    if (this.request === undefined) return;
    const { made } = this.request;
    this.request = undefined;
    if (lost !== 'no') this.draft = refused(this.draft);
    else if (made === undefined) this.draft = refused(this.draft, this.service.now);
    else this.draft = saved(this.draft, made);
    this.model.answered(made !== undefined && lost === 'no', this.draft.theirs.settings);
  }

  reload(): void {
    // A pending request ends with the page.
    if (this.request !== undefined) return;
    const storage = {
      getItem: (key: string) => this.#kept.get(key) ?? null,
      setItem: (key: string, value: string) => void this.#kept.set(key, value),
      removeItem: (key: string) => void this.#kept.delete(key),
    };
    storeDraft(storage, 'draft', this.draft);
    this.draft = storedDraft(storage, 'draft', this.service.now, SPECIFIED_SETTINGS);
    while (this.service.nextEvent() !== undefined);
    this.model.receive(this.draft.theirs.settings);
  }
}

/**
 * A simple model of what a person at a page expects: each edit is stored separately, and shown over the settings that
 * the page has received. It shares no rule with the draft, which derives edits from the values that it keeps.
 */
class DraftModel {
  #theirs: Map<DraftField, Value>;
  readonly #set = new Map<DraftField, Value>();
  /**
   * The service's values that the person has seen: when they set a field, decided a conflict, or last got the value
   * that they wanted.
   */
  readonly #known = new Map<DraftField, Value>();
  #sent: Map<DraftField, Value> | undefined;
  /** The fields in which the person chose between two values after the service had made the sent change. */
  readonly #chosen = new Set<DraftField>();

  constructor(theirs: RecordSettings) {
    this.#theirs = fieldsOf(theirs);
  }

  receive(theirs: RecordSettings): void {
    for (const [field, value] of this.#set) if (this.#value(field) === value) this.#known.set(field, value);
    this.#theirs = fieldsOf(theirs);
    this.#settle();
  }

  edit(field: DraftField, value: Value): void {
    const isInConflict = this.conflicts().has(field);
    if (!isInConflict) this.#known.set(field, this.#value(field));
    this.#set.set(field, value);
    if (isInConflict && value === this.#value(field)) this.resolve(field, 'theirs');
    this.#settle();
  }

  resolve(field: DraftField, value: 'mine' | 'theirs'): void {
    if (value === 'mine') this.#known.set(field, this.#value(field));
    else this.#set.delete(field);
    this.#chosen.add(field);
  }

  reset(): void {
    for (const field of this.conflicts()) this.#chosen.add(field);
    this.#set.clear();
  }

  send(): void {
    this.#sent = new Map(this.#set);
    this.#chosen.clear();
  }

  /**
   * Applies the answer to the sent changes: `true` when they were made. @param theirs the settings that the page has
   * then received
   */
  answered(isMade: boolean, theirs: RecordSettings): void {
    const answers = [...(this.#sent ?? [])].filter(([field]) => this.#isAwaited(field) && this.#set.has(field));
    if (isMade) this.receive(theirs);
    this.#sent = undefined;
    for (const [field, value] of isMade ? answers : []) {
      if (this.#set.get(field) === value) this.#set.delete(field);
      else this.#known.set(field, value);
    }
    this.#settle();
    this.receive(theirs);
    this.#chosen.clear();
  }

  /** Drops edits that the service already has, unless the answer to sent changes may alter that. */
  #settle(): void {
    for (const [field, value] of this.#set) {
      if (!this.#isAwaited(field) && value === this.#value(field)) this.#set.delete(field);
    }
  }

  #isAwaited(field: DraftField): boolean {
    return this.#sent?.has(field) === true && !this.#chosen.has(field);
  }

  shown(): Map<DraftField, Value> {
    const shown = new Map([...this.#theirs, ...this.#set]);
    for (const [field, value] of shown) if (field.startsWith('feature:') && value === false) shown.delete(field);
    return shown;
  }

  conflicts(): Set<DraftField> {
    const inConflict = [...this.#set].filter(([field, mine]) => {
      const theirs = this.#value(field);
      const isOwn = this.#isAwaited(field) && this.#sent?.get(field) === theirs;
      return mine !== theirs && this.#known.get(field) !== theirs && !isOwn;
    });
    return new Set(inConflict.map(([field]) => field));
  }

  #value(field: DraftField): Value {
    return this.#theirs.get(field) ?? false;
  }
}
