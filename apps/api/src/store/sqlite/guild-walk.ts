import type { GuildId } from '@guild-settings/contract';
import type { Statements } from './statements.ts';

/** Guilds of one step, which takes well under a millisecond. */
const STEP_GUILDS = 10;

/** Iterates over all guilds in the order of revisions, a few in each step, and starts again at the end. */
export class GuildWalk {
  readonly #readGuildsAfter: Statements['readGuildsAfter'];
  #reached = 0;

  constructor({ readGuildsAfter }: Statements) {
    this.#readGuildsAfter = readGuildsAfter;
  }

  /** Returns the ids of the next guilds. After an error the same guilds are read again. */
  next(): GuildId[] {
    const { guilds, isWhole } = this.#readGuildsAfter(this.#reached, STEP_GUILDS);
    this.#reached = isWhole ? 0 : (guilds.at(-1)?.revision ?? 0);
    return guilds.map(({ id }) => id);
  }
}
