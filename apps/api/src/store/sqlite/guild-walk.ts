import type { GuildId } from '@guild-settings/contract';
import type { GuildRow } from '../rows.ts';

/** Guilds in one step: a step takes well under a millisecond. */
const STEP = 10;

/** Walks over all guilds in the order of revisions, a few in each step, and begins anew at the end. */
export class GuildWalk {
  readonly #readGuildsAfter: (revision: number, limit: number) => readonly GuildRow[];
  #reached = 0;

  constructor(readGuildsAfter: (revision: number, limit: number) => readonly GuildRow[]) {
    this.#readGuildsAfter = readGuildsAfter;
  }

  /** The ids of the next guilds. What it throws, it throws again until those guilds can be read. */
  next(): GuildId[] {
    const rows = this.#readGuildsAfter(this.#reached, STEP);
    this.#reached = rows.length < STEP ? 0 : (rows.at(-1)?.revision ?? 0);
    return rows.map(({ id }) => id);
  }
}
