import type { GrantOutcome } from '@guild-settings/client';
import type { Logger } from 'pino';

/** Tracks whether the bot can obtain an access token of its application. */
export function tokenHealth(logger: Logger, countGrant: (outcome: GrantOutcome['outcome']) => void) {
  let last: GrantOutcome = { outcome: 'granted' };
  return {
    /** `ok`, or `failing` with the reason in parentheses. */
    get check() {
      return last.outcome === 'granted' ? 'ok' : `failing (${last.error.message})`;
    },
    /** Receives the outcome of each request for a token. Logs one line when its kind changes. */
    onGrant(outcome: GrantOutcome) {
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
        logger.error(
          fields,
          `${message}. Settings cannot be changed or brought up to date. Take DISCORD_CLIENT_SECRET of DISCORD_APPLICATION_ID from the page "OAuth2" of the developer portal.`,
        );
      } else {
        logger.warn(fields, message);
      }
    },
  };
}
