import type { GrantOutcome } from '@guild-settings/client';
import type { Logger } from 'pino';

/** Whether the bot can obtain an access token of its application. */
export interface TokenHealth {
  /** Receives the outcome of each request for a token. Logs one line when the outcome is of another kind than the last. */
  onGrant(outcome: GrantOutcome): void;
  /** `ok`, or `failing` with the reason in parentheses. */
  readonly check: string;
}

/** Starts with `ok`: a token is requested as soon as one is needed. */
export function tokenHealth(logger: Logger, countGrant: (outcome: GrantOutcome['outcome']) => void): TokenHealth {
  let last: GrantOutcome = { outcome: 'granted' };
  return {
    get check() {
      return last.outcome === 'granted' ? 'ok' : `failing (${last.error.message})`;
    },
    onGrant(outcome) {
      countGrant(outcome.outcome);
      const previous = last;
      last = outcome;
      if (outcome.outcome === 'granted') {
        if (previous.outcome !== 'granted') logger.info('Discord grants the application tokens again');
        return;
      }
      if (previous.outcome === outcome.outcome && previous.error.message === outcome.error.message) return;
      const { status, message } = outcome.error;
      const fields = { fault: outcome.outcome, status, retryInMs: Math.round(outcome.retryInMs) };
      if (outcome.outcome === 'refused') {
        logger.error(fields, `${message}. Check DISCORD_APPLICATION_ID and DISCORD_CLIENT_SECRET`);
      } else {
        logger.warn(fields, message);
      }
    },
  };
}
