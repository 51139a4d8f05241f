import type { GuildSettings, RecordSettings } from '@guild-settings/contract';
import { SCALAR_FIELDS, type ScalarField, type Scalars } from '../fields.ts';

/**
 * What a person at a page expects, in the simplest way: each thing that was set is remembered by itself, and shown over what the
 * page has received from the service. It shares no rule with the draft, which merges three versions.
 */
export class DraftModel {
  #theirs: RecordSettings;
  readonly #set = new Map<ScalarField, Scalars[ScalarField]>();
  /** The value of the service that the person knew of when they set a field, or decided on it. */
  readonly #known = new Map<ScalarField, unknown>();
  readonly #switched = new Map<string, boolean>();
  /** Whether a switched feature was on at the service when the person switched it, or decided on it, or at last had what they want. */
  readonly #knownOn = new Map<string, boolean>();
  #sent: Partial<GuildSettings> | undefined;
  /** The fields in which the person chose between two values after the service had made the change that was sent. */
  readonly #chosen = new Set<string>();
  #sentSwitched: ReadonlyMap<string, boolean> = new Map();

  constructor(theirs: RecordSettings) {
    this.#theirs = theirs;
  }

  /** What the page has received. */
  get theirs(): RecordSettings {
    return this.#theirs;
  }

  receive(theirs: RecordSettings): void {
    this.#theirs = theirs;
    for (const [name, isOn] of this.#switched) {
      if (this.#isOn(name) === isOn) this.#knownOn.set(name, isOn);
    }
    this.#settle();
  }

  edit(field: ScalarField, value: Scalars[ScalarField]): void {
    if (!this.conflicts().includes(field)) this.#known.set(field, this.theirs[field]);
    this.#set.set(field, value);
    this.#settle();
  }

  switchFeature(name: string, isOn: boolean): void {
    if (this.featureConflicts().includes(name)) this.#chosen.add(name);
    this.#knownOn.set(name, this.#isOn(name));
    this.#switched.set(name, isOn);
    this.#settle();
  }

  resolveFeature(name: string, value: 'mine' | 'theirs'): void {
    if (value === 'mine') this.#knownOn.set(name, this.#isOn(name));
    else this.#switched.delete(name);
    this.#chosen.add(name);
  }

  resolve(field: ScalarField, value: 'mine' | 'theirs'): void {
    if (value === 'mine') this.#known.set(field, this.theirs[field]);
    else this.#forget(field);
    this.#chosen.add(field);
  }

  reset(): void {
    for (const name of [...this.conflicts(), ...this.featureConflicts()]) this.#chosen.add(name);
    for (const field of SCALAR_FIELDS) this.#forget(field);
    this.#switched.clear();
  }

  send(changes: Partial<GuildSettings>): void {
    this.#sent = changes;
    this.#sentSwitched = new Map(this.#switched);
    this.#chosen.clear();
  }

  /** The answer to what was sent: `true` when the change was made. What the service has then is received next. */
  answered(isMade: boolean): void {
    const sent = this.#sent ?? {};
    this.#sent = undefined;
    if (isMade) this.#saved(sent);
    else this.#settle();
    this.#chosen.clear();
    this.#sentSwitched = new Map();
  }

  #saved(sent: Partial<GuildSettings>): void {
    for (const field of SCALAR_FIELDS) {
      if (sent[field] === undefined || !this.#set.has(field) || this.#chosen.has(field)) continue;
      if (this.#set.get(field) === sent[field]) this.#forget(field);
      else this.#known.set(field, sent[field]);
    }
    for (const [name, isOn] of this.#sentSwitched) {
      if (this.#chosen.has(name)) continue;
      if (this.#switched.get(name) === isOn) this.#switched.delete(name);
      else this.#knownOn.set(name, isOn);
    }
  }

  /** Forgets what the service has already, unless it may be something else when what was sent is answered. */
  #settle(): void {
    for (const [field, value] of this.#set) {
      if (this.#sent?.[field] === undefined && value === this.theirs[field]) this.#forget(field);
    }
    if (this.#sent?.enabledFeatures !== undefined) return;
    for (const [name, isOn] of this.#switched) {
      if (isOn === this.theirs.enabledFeatures.includes(name)) this.#switched.delete(name);
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
        (this.#sent?.[field] !== theirs || this.#chosen.has(field))
      );
    });
  }

  featureConflicts(): string[] {
    return [...this.#switched].flatMap(([name, isOn]) => {
      const theirs = this.#isOn(name);
      const isOwn = this.#sentSwitched.get(name) === theirs && !this.#chosen.has(name);
      return isOn !== theirs && this.#knownOn.get(name) !== theirs && !isOwn ? [name] : [];
    });
  }

  #isOn(name: string): boolean {
    return this.theirs.enabledFeatures.includes(name);
  }

  #forget(field: ScalarField): void {
    this.#set.delete(field);
    this.#known.delete(field);
  }
}
