import type { GuildId } from '@guild-settings/contract';

/** A request that waits until a change is live. */
interface Waiter {
  readonly guildId: GuildId;
  readonly revision: number;
  readonly end: () => void;
}

/** The requests that wait until a change is live. */
export class Waiters {
  readonly #waiters = new Set<Waiter>();

  /** Resolves when {@link endSettled} finds the change settled, or at the deadline. */
  async wait(guildId: GuildId, revision: number, deadline: AbortSignal): Promise<void> {
    if (deadline.aborted) return;
    await new Promise<void>((resolve) => {
      const waiter: Waiter = {
        guildId,
        revision,
        end: () => {
          deadline.removeEventListener('abort', waiter.end);
          this.#waiters.delete(waiter);
          resolve();
        },
      };
      this.#waiters.add(waiter);
      deadline.addEventListener('abort', waiter.end);
    });
  }

  /** Ends the wait for each change that is settled. */
  endSettled(isSettled: (guildId: GuildId, revision: number) => boolean): void {
    for (const { guildId, revision, end } of this.#waiters) if (isSettled(guildId, revision)) end();
  }
}
