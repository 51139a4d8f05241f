import { counted } from '@guild-settings/contract';
import { printable } from '../terminal/printable.ts';

/** Names that are counted each by itself. */
const MAX_NAMES = 200;
const MAX_NAME_CHARACTERS = 80;

/** Counts of names, in bounded memory: what comes after some hundred names is counted together. */
export class NameCounts {
  readonly #counts = new Map<string, number>();
  /** How often other names came. */
  others = 0;

  add(name: string): void {
    const short = name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}...` : name;
    const count = this.#counts.get(short) ?? 0;
    if (count === 0 && this.#counts.size === MAX_NAMES) this.others += 1;
    else this.#counts.set(short, count + 1);
  }

  /** The names and their counts, the most frequent first. */
  get sorted(): readonly (readonly [name: string, count: number])[] {
    return [...this.#counts].sort(([, one], [, other]) => other - one);
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  /** Returns the names with their counts, for a message. */
  toString(): string {
    const names = this.sorted.map(([name, count]) => `${printable(name)} (${count.toLocaleString('en')})`);
    const others = this.others > 0 ? [`and ${counted(this.others, 'value')} with other names`] : [];
    return [...names, ...others].join(', ');
  }
}
