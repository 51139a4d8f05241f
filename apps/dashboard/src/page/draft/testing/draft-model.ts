import type { GuildSettings, RecordSettings } from '@guild-settings/contract';
import { SCALAR_FIELDS, type ScalarField, type Scalars } from '../fields.ts';

/**
 * What a person at a page expects, in the simplest way: each thing that was set is remembered by itself, and shown over what the
 * page has heard of the service. It shares no rule with the draft, which merges three versions.
 */
export class DraftModel {
  /** What the page has heard. */
  theirs: RecordSettings;
  readonly #set = new Map<ScalarField, Scalars[ScalarField]>();
  /** The value of the service that the person knew of when they set a field, or decided on it. */
  readonly #known = new Map<ScalarField, unknown>();
  readonly #switched = new Map<string, boolean>();
  #sent: Partial<GuildSettings> | undefined;

  constructor(theirs: RecordSettings) {
    this.theirs = theirs;
  }

  edit(field: ScalarField, value: Scalars[ScalarField]): void {
    const isSent = this.#sent?.[field] !== undefined;
    if (value === this.theirs[field] && !isSent) this.#forget(field);
    else {
      if (!this.conflicts().includes(field)) this.#known.set(field, this.theirs[field]);
      this.#set.set(field, value);
    }
  }

  switchFeature(name: string, isOn: boolean): void {
    const isAsItIs = isOn === this.theirs.enabledFeatures.includes(name);
    if (isAsItIs && this.#sent?.enabledFeatures === undefined) this.#switched.delete(name);
    else this.#switched.set(name, isOn);
  }

  resolve(field: ScalarField, value: 'mine' | 'theirs'): void {
    if (value === 'mine') this.#known.set(field, this.theirs[field]);
    else this.#forget(field);
  }

  reset(): void {
    for (const field of SCALAR_FIELDS) this.#forget(field);
    this.#switched.clear();
  }

  send(changes: Partial<GuildSettings>): void {
    this.#sent = changes;
  }

  /** The answer to what was sent: `true` when the change was made. */
  answered(isMade: boolean): void {
    const sent = this.#sent ?? {};
    this.#sent = undefined;
    if (!isMade) return;
    for (const field of SCALAR_FIELDS) {
      if (sent[field] === undefined || !this.#set.has(field)) continue;
      if (this.#set.get(field) === sent[field]) this.#forget(field);
      else this.#known.set(field, sent[field]);
    }
    for (const [name, isOn] of this.#switched) {
      if (sent.enabledFeatures?.includes(name) === isOn) this.#switched.delete(name);
    }
  }

  /** What the page shows, without an order of features. */
  shown(): Omit<RecordSettings, 'enabledFeatures'> & { enabledFeatures: Set<string> } {
    const enabledFeatures = new Set(this.theirs.enabledFeatures);
    for (const [name, isOn] of this.#switched) {
      if (isOn) enabledFeatures.add(name);
      else enabledFeatures.delete(name);
    }
    return { ...this.theirs, ...Object.fromEntries(this.#set), enabledFeatures };
  }

  conflicts(): ScalarField[] {
    return SCALAR_FIELDS.filter((field) => {
      const theirs = this.theirs[field];
      return (
        this.#set.has(field) &&
        this.#set.get(field) !== theirs &&
        this.#known.get(field) !== theirs &&
        this.#sent?.[field] !== theirs
      );
    });
  }

  #forget(field: ScalarField): void {
    this.#set.delete(field);
    this.#known.delete(field);
  }
}
