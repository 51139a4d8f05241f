import { type SettingsPatch, type SettingValues, SPECIFIED_SETTINGS } from '@guild-settings/contract/settings';
import fc from 'fast-check';
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
  storeDraft,
  storedDraft,
  viewOf,
} from '../draft.ts';
import { type DraftField, featureField, type Theirs } from '../fields.ts';
import { DraftModel } from './draft-model.ts';
import { ModelledService } from './modelled-service.ts';

/** The features that people switch. */
export const FEATURES = ['reminders', 'polls', '__proto__'];

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
  // The request is lost on its way, or its answer is.
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

/** A save of a switched feature, which the other person switches back, and what the person does before the answer. */
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

/** Steps of a walk, in any order, and now and then those that have led to mistakes. */
export const anyWalk = fc
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
export class Walk {
  readonly service = new ModelledService();
  readonly model = new DraftModel(this.service.now.settings);
  draft: Draft = draftOf(this.service.now);
  request: { readonly changes: SettingsPatch; readonly ifMatch: number; readonly made?: Theirs } | undefined;
  readonly #kept = new Map<string, string>();

  take(step: Step): void {
    switch (step.kind) {
      case 'edit':
        this.#edit(step.set.field, step.set.value);
        return;
      case 'switch':
        this.#edit(featureField(step.name), step.isOn);
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
    }
  }

  #edit(field: DraftField, value: string | boolean): void {
    this.draft = edit(this.draft, field, value);
    this.model.edit(field, value);
  }

  #noteReceived(): void {
    this.model.receive(this.draft.theirs.settings);
  }

  #receive(): void {
    const event = this.service.nextEvent();
    if (event === undefined) return;
    this.draft = received(this.draft, event);
    this.#noteReceived();
  }

  #send(): void {
    const changes = changesOf(this.draft);
    if (this.request !== undefined || Object.keys(changes).length === 0 || viewOf(this.draft).conflicts.length > 0)
      return;
    this.request = { changes, ifMatch: this.draft.theirs.revision };
    this.draft = sent(this.draft);
    this.model.send();
  }

  #make(): void {
    if (this.request === undefined || this.request.made !== undefined) return;
    const made = this.service.patch(this.request.changes as SettingValues, this.request.ifMatch);
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
    this.model.answered(made !== undefined && lost === 'no', this.draft.theirs.settings);
  }

  #reload(): void {
    // A request that is under way ends with the page.
    if (this.request !== undefined) return;
    const storage = {
      getItem: (key: string) => this.#kept.get(key) ?? null,
      setItem: (key: string, value: string) => void this.#kept.set(key, value),
      removeItem: (key: string) => void this.#kept.delete(key),
    };
    storeDraft(storage, 'draft', this.draft);
    this.draft = storedDraft(storage, 'draft', this.service.now, SPECIFIED_SETTINGS);
    while (this.service.nextEvent() !== undefined);
    this.#noteReceived();
  }
}
