import { type GrantOutcome, TokenError, type TokenSource } from '@guild-settings/client';
import { createRedactor, type Redactor } from '@guild-settings/runtime/log';
import { type Client, Events } from 'discord.js';
import type { Logger } from 'pino';
import { type BotConfig, VERSION } from '../config.ts';

const REPEAT_AFTER_MS = 60_000;

/** Maximum kinds of failures that are distinguished at a time. */
const MAX_KINDS = 100;

interface WarnOnceOptions {
  readonly logger: Pick<Logger, 'warn'>;
  readonly message: string;
  /** Returns milliseconds that never decrease; `performance.now` by default. */
  readonly clock?: () => number;
}

/**
 * Returns a function that logs failures of a retried task. Repetitions of a failure are logged once a minute, with the
 * number of those omitted. A missing token is logged by `tokenHealth` instead.
 */
export function warnOnce({ logger, message, clock = () => performance.now() }: WarnOnceOptions) {
  const kinds = new Map<string, { readonly at: number; leftOut: number }>();
  return (error: unknown, fields: object = {}): void => {
    if (isWithoutToken(error)) return;
    const key = keyOf(error);
    const last = kinds.get(key);
    if (last !== undefined && clock() - last.at < REPEAT_AFTER_MS) {
      last.leftOut += 1;
      return;
    }
    const leftOut = last?.leftOut ?? 0;
    logger.warn({ err: error, ...fields, ...(leftOut > 0 && { leftOut }) }, message);
    if (kinds.size >= MAX_KINDS) kinds.clear();
    kinds.set(key, { at: clock(), leftOut: 0 });
  };
}

export function isWithoutToken(error: unknown): boolean {
  return error instanceof TokenError || (error instanceof Error && error.cause instanceof TokenError);
}

function keyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  const cause = error.cause instanceof Error ? error.cause.message : '';
  return [error.name, code, error.message, cause].join(' ');
}

interface ConnectionLogOptions {
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  readonly lost: string;
  readonly back: string;
}

/**
 * Logs the changes of a connection's state: one line when it is lost, regardless of failed attempts, and one when it is
 * back.
 */
export interface ConnectionLog {
  failed(error: unknown): void;
  recovered(): void;
}

/** Creates the log of a connection that is not lost yet. A missing token is logged by `tokenHealth` instead. */
export function connectionLog({ logger, lost, back }: ConnectionLogOptions): ConnectionLog {
  let isLost = false;
  return {
    failed(error) {
      if (isLost || isWithoutToken(error)) return;
      isLost = true;
      logger.warn({ err: error }, lost);
    },
    recovered() {
      if (isLost) logger.info(back);
      isLost = false;
    },
  };
}

/** Tracks if the bot can obtain an access token of its application. */
export function tokenHealth(logger: Logger, countGrant: (outcome: GrantOutcome['outcome']) => void) {
  let last: GrantOutcome = { outcome: 'granted' };
  return {
    get check() {
      return last.outcome === 'granted' ? 'ok' : `failing (${last.error.message})`;
    },
    /** Receives the outcome of each token request. Logs one line when its kind changes. */
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

export function botRedactor({ discord }: BotConfig): Redactor {
  const { applicationId, clientSecret, botToken } = discord;
  const basic = Buffer.from(`${applicationId}:${clientSecret}`).toString('base64');
  return createRedactor({ secrets: [clientSecret, botToken, basic] });
}

/** Adds the token of each interaction to the redactor, because it allows replies as the bot for 15 minutes. */
export function redactInteractionTokens(client: Client, redactor: Redactor): void {
  client.on(Events.InteractionCreate, ({ token }) => redactor.add(token));
}

export function redactTokens(tokens: TokenSource, redactor: Redactor): TokenSource {
  return {
    invalidate: (token) => tokens.invalidate(token),
    async get(signal) {
      const token = await tokens.get(signal);
      redactor.add(token);
      return token;
    },
  };
}

/** Returns the log text about what is started. The configuration does not accept URLs with credentials. */
export function startText({ apiUrl, discord, databasePath, shards, readsMessages }: BotConfig): string {
  const parts = [
    `settings from ${apiUrl}`,
    `file ${databasePath}`,
    `Discord at ${new URL(discord.apiUrl).host}`,
    shards === null ? 'all shards' : `shards ${shards.ids.join(', ')} of ${shards.count}`,
    readsMessages ? 'prefix and slash commands' : 'slash commands only',
  ];
  return `guild-settings bot ${VERSION} starts: ${parts.join(', ')}`;
}

export function connectedText({ user, guilds }: Client): string {
  const count = guilds.cache.size;
  return `the bot is connected as ${user?.tag}, on ${count} ${count === 1 ? 'server' : 'servers'}`;
}
