import type { Guild } from '@guild-settings/contract';

/** A guild's record in memory, as of a revision. One that comes from the file is parsed when it is asked for first. */
export class Entry {
  readonly revision: number;
  #record: string | Readonly<Guild>;

  /** @param record the guild, or the JSON of one */
  constructor(revision: number, record: string | Guild) {
    this.revision = revision;
    this.#record = typeof record === 'string' ? record : frozen(record);
  }

  /** The guild, frozen. */
  get guild(): Readonly<Guild> {
    if (typeof this.#record === 'string') this.#record = frozen(JSON.parse(this.#record));
    return this.#record;
  }
}

function frozen(guild: Guild): Readonly<Guild> {
  Object.freeze(guild.enabledFeatures);
  return Object.freeze(guild);
}
