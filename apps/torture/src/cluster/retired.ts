/** Range of the ids of retired guilds: the bot left them long ago, and only retention changes them. */
const FIRST_ID = 400_000_000_000_000_000n;
const END_ID = FIRST_ID + (1n << 54n);

export function isRetired(guild: string): boolean {
  const id = BigInt(guild);
  return id >= FIRST_ID && id < END_ID;
}

/** Rows for retention to erase: guilds that the bot left 40 days ago, with changes of 100 days ago. */
export interface RetiredRows {
  readonly guilds: readonly string[];
  readonly changesEach: number;
  readonly leftAt: number;
  readonly changedAt: number;
}

const DAY_MS = 86_400_000;

/** The rows that the harness has inserted for retention to erase. */
export class Retired {
  #created = 0n;
  readonly #ranges: { readonly first: number; readonly last: number }[] = [];

  get count(): number {
    return Number(this.#created);
  }

  next(guilds: number, changesEach: number): RetiredRows {
    const ids = Array.from({ length: guilds }, () => String(FIRST_ID + (this.#created++ << 22n)));
    return { guilds: ids, changesEach, leftAt: Date.now() - 40 * DAY_MS, changedAt: Date.now() - 100 * DAY_MS };
  }

  /** Notes the revisions of rows whose commit succeeded or has an unknown outcome. */
  note(first: number, rows: RetiredRows): void {
    this.#ranges.push({ first, last: first + rows.guilds.length * rows.changesEach - 1 });
  }

  has(revision: number): boolean {
    return this.#ranges.some(({ first, last }) => revision >= first && revision <= last);
  }
}
