import { LIMITS } from '@guild-settings/contract';

/** One preference `wait` in a list of preferences, with or without quotes and parameters. */
const WAIT = /(?:^|,)[ \t]*wait[ \t]*=[ \t]*(?:"(\d{1,9})"|(\d{1,9}))[ \t]*(?=;|,|$)/i;

/**
 * Returns the preferred wait in seconds, at most the longest that is honoured. What is not understood is ignored, as the
 * standard asks.
 * @see https://www.rfc-editor.org/rfc/rfc7240#section-4.3
 */
export function readPreferredWait(header: string): number | undefined {
  const [, quoted, plain] = WAIT.exec(header.slice(0, MAX_LENGTH)) ?? [];
  const seconds = quoted ?? plain;
  return seconds === undefined ? undefined : Math.min(LIMITS.waitSeconds, Number(seconds));
}

/** Characters of the header that are read. */
const MAX_LENGTH = 1_024;
