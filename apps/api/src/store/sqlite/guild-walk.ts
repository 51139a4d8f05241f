import type { GuildId } from '@guild-settings/contract';
import type { GuildRow } from '../rows.ts';

/** Guilds of one step, which takes well under a millisecond. */
const STEP_GUILDS = 10;

/** Iterates over all guilds in the order of revisions, a few in each step, and starts again at the end. */
export class GuildWalk {
  readonly #readGuildsAfter: (revision: number, limit: number) => readonly GuildRow[];
  #reached = 0;

  constructor(readGuildsAfter: (revision: number, limit: number) => readonly GuildRow[]) {
    this.#readGuildsAfter = readGuildsAfter;
  }

  /** Returns the ids of the next guilds. After an error the same guilds are read again. */
  next(): GuildId[] {
    const rows = this.#readGuildsAfter(this.#reached, STEP_GUILDS);
    this.#reached = rows.length < STEP_GUILDS ? 0 : (rows.at(-1)?.revision ?? 0);
    return rows.map(({ id }) => id);
  }
}
