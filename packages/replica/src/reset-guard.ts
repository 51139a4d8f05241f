import type { GuildId } from '@guild-settings/contract';
import type { Hold, ReplicaFile } from './replica-file.ts';
import { losesMostGuilds, type ResetLosses } from './reset-losses.ts';

/** A reset that is kept back, for a log line. */
export interface HeldReset extends ResetLosses {
  readonly epoch: string;
}

export interface ResetGuardOptions {
  readonly file: Pick<ReplicaFile, 'isStaging' | 'heldForMs' | 'losses'>;
  /** How long the service has to offer a history before it is taken although most guilds are lost, in milliseconds. */
  readonly holdMs: number;
  /** The epoch that an operator has confirmed. */
  readonly acceptedEpoch: string | undefined;
  readonly isFollowed: (guildId: GuildId) => boolean;
  /** Milliseconds that only grow. */
  readonly monotonic: () => number;
  /** Called once for each epoch that is kept back. */
  readonly onHeld: ((reset: HeldReset) => void) | undefined;
}

/** The longest time between two events that counts as one connection, in milliseconds: that of the client's silence. */
const LONGEST_SILENCE_MS = 15_000;

/**
 * Decides about a history that begins anew. One in which most guilds are gone may be a lost database of the service, so
 * the old records go on serving until an operator confirms, or the service has offered it for an hour. Only time
 * with the service connected counts, and it counts on after a restart.
 */
export class ResetGuard {
  readonly #options: ResetGuardOptions;
  #held: { readonly epoch: string; forMs: number; lastEventAt: number } | undefined;

  constructor(options: ResetGuardOptions) {
    this.#options = options;
  }

  /** Why the old records serve although the service is connected; `undefined`: they do not. */
  get reason(): string | undefined {
    if (this.#held === undefined) return undefined;
    const { epoch, forMs } = this.#held;
    const leftMinutes = Math.max(0, Math.ceil((this.#options.holdMs - forMs) / 60_000));
    return `the service offers a new history (epoch ${epoch}) in which most guilds are missing or have the defaults; to be confirmed by ACCEPT_EPOCH, or accepted in ${leftMinutes} min`;
  }

  /** Decides what the file does with its staged records at an event; `undefined`: nothing out of the ordinary. */
  decide(epoch: string, type: string): Hold | undefined {
    const { file, holdMs, acceptedEpoch, isFollowed, monotonic, onHeld } = this.#options;
    if (type === 'reset') this.#held = undefined;
    if (!file.isStaging) return undefined;
    if (this.#held === undefined) {
      if (type !== 'live' || acceptedEpoch === epoch) return undefined;
      const losses = file.losses(isFollowed);
      if (!losesMostGuilds(losses)) return undefined;
      this.#held = { epoch, forMs: file.heldForMs(epoch), lastEventAt: monotonic() };
      onHeld?.({ epoch, ...losses });
    } else if (type === 'live' && !losesMostGuilds(file.losses(isFollowed))) {
      return this.#release();
    }
    const held = this.#held;
    const now = monotonic();
    held.forMs += Math.min(now - held.lastEventAt, LONGEST_SILENCE_MS);
    held.lastEventAt = now;
    return held.forMs >= holdMs ? this.#release() : { kind: 'keep', forMs: Math.round(held.forMs) };
  }

  #release(): Hold {
    this.#held = undefined;
    return { kind: 'release' };
  }
}
