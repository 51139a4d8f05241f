import { counted } from '@guild-settings/contract';
import { printable } from '../terminal/printable.ts';

const MAX_NAMES = 200;
const MAX_NAME_CHARACTERS = 80;

/** Counts of names, in bounded memory: what comes after some hundred names is counted together. */
export class NameCounts {
  readonly #counts = new Map<string, number>();
  others = 0;

  add(name: string): void {
    const short = name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}...` : name;
    const count = this.#counts.get(short) ?? 0;
    if (count === 0 && this.#counts.size === MAX_NAMES) this.others += 1;
    else this.#counts.set(short, count + 1);
  }

  get sorted(): readonly (readonly [name: string, count: number])[] {
    return [...this.#counts].sort(([, one], [, other]) => other - one);
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  toString(): string {
    const names = this.sorted.map(([name, count]) => `${printable(name)} (${count.toLocaleString('en')})`);
    const others = this.others > 0 ? [`and ${counted(this.others, 'value')} with other names`] : [];
    return [...names, ...others].join(', ');
  }
}
