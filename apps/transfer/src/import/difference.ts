import type { DeclaredSettings, FieldPatch, Setting } from '@guild-settings/contract';
import type { Changes } from '../service/importer.ts';

export interface FieldCounts {
  /** Guilds for which the file has a value. */
  readonly values: number;
  /** Guilds for which it is another value than the service's. */
  readonly changes: number;
}

export interface Example {
  readonly guild: string;
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

const MAX_EXAMPLES = 8;

/** The difference between a file and the service: counts, and the first changed settings. */
export class Difference {
  readonly #values = new Map<string, number>();
  readonly #changes = new Map<string, number>();
  readonly examples: Example[] = [];
  changed = 0;
  unchanged = 0;
  readonly #settings: DeclaredSettings;

  constructor(settings: DeclaredSettings) {
    this.#settings = settings;
  }

  add(guild: string, settings: FieldPatch, changes: Changes): void {
    for (const field of Object.keys(settings)) this.#values.set(field, (this.#values.get(field) ?? 0) + 1);
    const changed = Object.entries(changes);
    if (changed.length === 0) this.unchanged += 1;
    else this.changed += 1;
    for (const [field, { from, to }] of changed) {
      this.#changes.set(field, (this.#changes.get(field) ?? 0) + 1);
      if (this.examples.length < MAX_EXAMPLES) this.examples.push({ guild, field, from, to });
    }
  }

  /** The settings of channels and roles for which the file has a value. The service takes any id. */
  get references(): readonly string[] {
    const isReference = ({ declared: { kind } }: Setting) => kind === 'channel' || kind === 'role';
    return this.#settings.all
      .filter((one) => isReference(one) && this.#values.has(one.field))
      .map(({ field }) => field);
  }

  get fields(): Readonly<Record<string, FieldCounts>> {
    const present = [...this.#settings.byField.keys()].filter((field) => this.#values.has(field));
    return Object.fromEntries(
      present.map((field) => [field, { values: this.#values.get(field) ?? 0, changes: this.#changes.get(field) ?? 0 }]),
    );
  }
}
