/** Guilds that the bot left long ago: nothing but retention changes them. Their ids begin here. */
const FIRST_ID = 400_000_000_000_000_000n;
const END_ID = FIRST_ID + (1n << 54n);

/** Whether a guild is one that retention is due to erase. */
export function isRetired(guild: string): boolean {
  const id = BigInt(guild);
  return id >= FIRST_ID && id < END_ID;
}

/** Rows for retention to throw away: guilds that the bot left 40 days ago, each with some changes of 100 days ago. */
export interface RetiredRows {
  /** The ids, none of which was given before. */
  readonly guilds: readonly string[];
  /** Changes of each guild. */
  readonly changesEach: number;
  readonly leftAt: number;
  readonly changedAt: number;
}

const DAY = 86_400_000;

/** What the harness put into the database for retention. */
export class Retired {
  #given = 0n;
  readonly #ranges: { readonly first: number; readonly last: number }[] = [];

  /** Guilds that were made up so far. */
  get count(): number {
    return Number(this.#given);
  }

  /** Makes up rows. */
  next(guilds: number, changesEach: number): RetiredRows {
    const ids = Array.from({ length: guilds }, () => String(FIRST_ID + (this.#given++ << 22n)));
    return { guilds: ids, changesEach, leftAt: Date.now() - 40 * DAY, changedAt: Date.now() - 100 * DAY };
  }

  /** Notes which revisions rows have, or may have where it is not known whether they were committed. */
  note(first: number, rows: RetiredRows): void {
    this.#ranges.push({ first, last: first + rows.guilds.length * rows.changesEach - 1 });
  }

  /** Whether a revision may be gone from the log. */
  has(revision: number): boolean {
    return this.#ranges.some(({ first, last }) => revision >= first && revision <= last);
  }
}
