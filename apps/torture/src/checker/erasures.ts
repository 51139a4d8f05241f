import { isRetired } from '../cluster/retired.ts';
import type { LogEntry } from '../history.ts';

/** The erasures of guilds that were requested, as the log has them. Each divides the revisions of its guild into two lives. */
export class Erasures {
  readonly #revisions = new Map<string, number[]>();

  constructor(log: readonly LogEntry[]) {
    for (const { guild, revision, after } of log) {
      if (after === null && !isRetired(guild)) this.#revisions.set(guild, [...this.of(guild), revision]);
    }
  }

  guilds(): string[] {
    return [...this.#revisions.keys()];
  }

  of(guild: string): readonly number[] {
    return this.#revisions.get(guild) ?? [];
  }

  after(guild: string, revision: number): number | undefined {
    return this.of(guild).find((erased) => erased > revision);
  }

  isErased(guild: string, revision: number): boolean {
    return this.after(guild, revision) !== undefined;
  }

  isBetween(guild: string, after: number, before: number): boolean {
    return (this.after(guild, after) ?? before) < before;
  }

  /** Returns the revision that a response shows. One of an erased guild, at revision 0, may be as new as its last erasure. */
  newestShown(guild: string, revision: number): number {
    return revision > 0 ? revision : (this.of(guild).at(-1) ?? 0);
  }
}
