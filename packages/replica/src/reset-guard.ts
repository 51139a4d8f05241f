import type { WatchedEvent } from '@guild-settings/client';
import type { GuildId } from '@guild-settings/contract';
import { notify } from './listeners.ts';
import type { Hold, ReplicaFile } from './replica-file.ts';
import type { HeldReset, ResetLosses } from './replica-options.ts';

interface ResetGuardOptions {
  readonly file: Pick<ReplicaFile, 'isStaging' | 'heldForMs' | 'losses'>;
  /**
   * Time for which the service has to send a history until it is accepted even if most guilds are lost, in
   * milliseconds.
   */
  readonly holdMs: number;
  readonly acceptedEpoch: string | undefined;
  readonly isFollowed: (guildId: GuildId) => boolean;
  /** Returns milliseconds that never decrease. */
  readonly monotonic: () => number;
  /** Called once for each epoch that is held back. */
  readonly onHeld: ((reset: HeldReset) => void) | undefined;
}

/** Longest time between two events of a connection, in milliseconds: the client's timeout for a silent connection. */
const MAX_SILENCE_MS = 15_000;

/**
 * Decides if a new history of the service is accepted. A history without most of the guilds may come from a lost
 * database, so the old records are served until an operator confirms the epoch, or the service has sent it for
 * `holdMs`. Only connected time counts; it is kept across restarts.
 */
export class ResetGuard {
  readonly #options: ResetGuardOptions;
  #held: { readonly epoch: string; forMs: number; lastEventAt: number } | undefined;

  constructor(options: ResetGuardOptions) {
    this.#options = options;
  }

  /** The reason why old records are served although the service is connected; undefined: they are not. */
  get reason(): string | undefined {
    if (this.#held === undefined) return undefined;
    const { epoch, forMs } = this.#held;
    const leftMinutes = Math.max(0, Math.ceil((this.#options.holdMs - forMs) / 60_000));
    return `the service sends a new history (epoch ${epoch}) in which most guilds are missing or have the defaults; it is accepted in ${leftMinutes} min, or when an operator confirms the epoch`;
  }

  /** Decides what the file does with its staged records at an event; undefined: as the event requires. */
  decide(epoch: string, type: string): Hold | undefined {
    const { file, holdMs, acceptedEpoch, isFollowed, monotonic, onHeld } = this.#options;
    if (type === 'reset') this.#held = undefined;
    if (!file.isStaging) return undefined;
    if (this.#held === undefined) {
      if (type !== 'live' || acceptedEpoch === epoch) return undefined;
      const losses = file.losses(isFollowed);
      if (!losesMostGuilds(losses)) return undefined;
      this.#held = { epoch, forMs: file.heldForMs(epoch), lastEventAt: monotonic() };
      notify(onHeld, { epoch, ...losses });
    } else if (type === 'live' && !losesMostGuilds(file.losses(isFollowed))) {
      return this.#release();
    }
    const held = this.#held;
    const now = monotonic();
    held.forMs += Math.min(now - held.lastEventAt, MAX_SILENCE_MS);
    held.lastEventAt = now;
    return held.forMs >= holdMs ? this.#release() : { kind: 'keep', forMs: Math.round(held.forMs) };
  }

  #release(): Hold {
    this.#held = undefined;
    return { kind: 'release' };
  }
}

/** Returns true if the records from after a reset are complete and replace the others. */
export function isEndOfReset({ type }: WatchedEvent['event'], hold: Hold | undefined): boolean {
  return (type === 'live' && hold?.kind !== 'keep') || hold?.kind === 'release';
}

/** Returns true if more than half of the guilds, or of those with non-default settings, would be lost. */
function losesMostGuilds({ held, missing, customized, defaulted }: ResetLosses): boolean {
  return missing * 2 > held || defaulted * 2 > customized;
}
