import { counted } from '@guild-settings/contract';
import { mapEntry } from '../mapping/map-entry.ts';
import type { KeyPattern, Mapping } from '../mapping/mapping.ts';
import { decoded, isContainer, valueAt } from '../mapping/paths.ts';
import { type EmptyPrefix, everyoneIn } from '../mapping/take-value.ts';
import { openSource } from '../sources/open-source.ts';
import type { Entries, Entry, UnreadableEntry } from '../sources/source.ts';
import { printable } from '../terminal.ts';
import type { ImportCommand } from './options.ts';
import type { Rejects, Staging } from './staging.ts';

interface ReadSourceOptions {
  readonly mapping: Mapping;
  readonly staging: Staging;
  readonly rejects: Rejects;
  readonly signal: AbortSignal;
  /** Asks for the meaning of an empty prefix, at the first one. */
  readonly askEmptyPrefix: () => Promise<EmptyPrefix>;
}

export interface ReadCounts {
  readonly rows: number;
  /** Rows that do not concern settings, or contain none. */
  readonly others: number;
  readonly firstOthers: readonly string[];
  readonly unmapped: NameCounts;
}

const MAX_EXAMPLES = 3;

/** Number of rows between two checks of the signal. */
const YIELD_ROWS = 2_000;

/**
 * Reads all rows of a file and collects the settings of guilds.
 * @throws SourceError, and the reason of the signal
 */
export async function readSource(
  { source, table, delimiter, mayReplace, isStrict }: ImportCommand,
  { mapping: given, staging, rejects, signal, askEmptyPrefix }: ReadSourceOptions,
): Promise<ReadCounts> {
  let mapping = given;
  let rows = 0;
  let others = 0;
  const firstOthers: string[] = [];
  const unmapped = new NameCounts();
  for await (const entry of entriesAt(openSource({ ...source, table, delimiter }), mapping.keys)) {
    rows += 1;
    // Rows of a SQLite file arrive without a pause in which a signal would be received.
    if (rows % YIELD_ROWS === 0) await new Promise(setImmediate);
    signal.throwIfAborted();
    const { place, key } = entry;
    if ('problem' in entry) {
      rejects.add({ place, key, reason: entry.problem, value: entry.raw });
      continue;
    }
    let mapped = mapEntry(entry, mapping);
    if (mapped.is === 'undecided') {
      mapping = { ...mapping, emptyPrefix: await askEmptyPrefix() };
      mapped = mapEntry(entry, mapping);
    }
    if ('unmapped' in mapped) for (const name of mapped.unmapped) unmapped.add(name);
    switch (mapped.is) {
      case 'other':
        others += 1;
        if (firstOthers.length < MAX_EXAMPLES) firstOthers.push(key ?? place);
        break;
      case 'rejected':
        rejects.add({ place, key, guild: mapped.guild, reason: mapped.problem, value: entry.value });
        break;
      case 'guild': {
        const { guild, settings } = mapped;
        const contradictions = mayReplace ? [] : staging.contradictions(guild, settings);
        const everyone = everyoneIn(settings, guild, mapping.declared);
        const refused = [...mapped.refused, ...everyone, ...contradictions];
        if (isStrict && refused.length > 0) {
          const reason = refused.map(({ problem }) => problem).join('; ');
          rejects.add({ place, key, guild, reason, value: entry.value });
          break;
        }
        for (const { field, value, problem: reason } of refused)
          rejects.add({ place, key, guild, field, reason, value });
        const names = [...everyone, ...contradictions].map(({ field }) => field);
        const rest = Object.fromEntries(Object.entries(settings).filter(([name]) => !names.includes(name)));
        if (Object.keys(rest).length > 0) staging.add({ guild, settings: rest, place });
      }
    }
  }
  return { rows, others, firstOthers, unmapped };
}

/**
 * Yields the rows of a file; for a row with an object at the dotted path of the pattern, the members of that object
 * instead.
 */
async function* entriesAt(entries: Entries, { text, match }: KeyPattern): AsyncGenerator<Entry | UnreadableEntry> {
  const before = text.slice(0, text.search(/\{(?:guild|field)\}/));
  for await (const entry of entries) {
    const { key = '' } = entry;
    const isNested = !('problem' in entry) && key !== '' && before.startsWith(`${key}.`) && match(key) === undefined;
    const path = before.slice(key.length + 1, before.lastIndexOf('.'));
    const inside = isNested ? decoded(valueAt(entry.value, path === '' ? '.' : path)) : undefined;
    if (!isContainer(inside)) {
      yield entry;
      continue;
    }
    for (const [name, value] of Object.entries(inside)) {
      const full = [key, ...(path === '' ? [] : [path]), name].join('.');
      yield { place: `key ${JSON.stringify(full)}`, key: full, value };
    }
  }
}

const MAX_NAMES = 200;
const MAX_NAME_CHARACTERS = 80;
/** Maximum names in a line. */
const MAX_SHOWN = 12;

/** Counts of names in bounded memory: after some hundred names, further ones are counted together. */
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

  /** Returns the most frequent names. */
  toString(): string {
    const { sorted } = this;
    const names = sorted.slice(0, MAX_SHOWN).map(([name, count]) => `${printable(name)} (${counted(count, 'row')})`);
    const others = sorted.slice(MAX_SHOWN).length + this.others;
    return [...names, ...(others > 0 ? [`and ${others.toLocaleString('en')} more (--json lists them)`] : [])].join(
      ', ',
    );
  }
}
