import type { RecordSettings } from '@guild-settings/contract';
import type { DraftField } from '../fields.ts';

type Value = string | boolean;

/** The settings with one value. */
export const SCALAR_FIELDS = ['prefix', 'language', 'announcement_channel', 'beta'] as const;

/** Settings as the values of fields, a feature being one of them. A feature that is off has no value. */
export function fieldsOf(settings: RecordSettings): Map<DraftField, Value> {
  const features = settings.enabledFeatures.map((name): [DraftField, Value] => [`feature:${name}`, true]);
  return new Map([...SCALAR_FIELDS.map((field): [DraftField, Value] => [field, settings[field]]), ...features]);
}

/**
 * A model of the expectations of a person at a page, in the simplest way: each edit is remembered by itself, and shown
 * over the settings that the page has received. It shares no rule with the draft, which derives them from values that
 * it keeps.
 */
export class DraftModel {
  #theirs: Map<DraftField, Value>;
  readonly #set = new Map<DraftField, Value>();
  /** The value of the service that the person knew of when they set a field, or decided on it, or at last had what they want. */
  readonly #known = new Map<DraftField, Value>();
  #sent: Map<DraftField, Value> | undefined;
  /** The fields in which the person chose between two values after the service had made the change that was sent. */
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

  /** The answer to what was sent: `true` when the change was made. @param theirs what the page has then received */
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

  /** Forgets what the service has already, unless it may be something else when what was sent is answered. */
  #settle(): void {
    for (const [field, value] of this.#set) {
      if (!this.#isAwaited(field) && value === this.#value(field)) this.#set.delete(field);
    }
  }

  #isAwaited(field: DraftField): boolean {
    return this.#sent?.has(field) === true && !this.#chosen.has(field);
  }

  /** The values that the page shows. */
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
