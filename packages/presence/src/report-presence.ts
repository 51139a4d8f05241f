import type { GuildSettingsClient } from '@guild-settings/client';
import { type Client, IntentsBitField } from 'discord.js';
import { PresenceReporter, type ReportIntervals } from './presence-reporter.ts';

export interface ReportPresenceOptions {
  /** Called with the error of a failed report. It is retried. */
  readonly onError?: (error: unknown) => void;
  /** Called after each report that the service has accepted. */
  readonly onReported?: () => void;
  /** The intervals at which all guilds are reported again; 15 s after a failure and every hour unless given. */
  readonly intervals?: ReportIntervals;
  readonly signal?: AbortSignal;
}

const DEFAULT_INTERVALS: ReportIntervals = { afterFailureMs: 15_000, everyMs: 3_600_000 };

/**
 * Reports to the service which guilds a bot is in, with their names and icons: all of a shard when that is ready, then each
 * change. Reports that fail are retried. Timers and pauses do not keep the process running.
 * @param client a client of discord.js with the intent Guilds, before its login
 * @param settings a client of the service with the application's token
 * @throws TypeError when the client lacks the intent, or has logged in
 * @example
 * const presence = reportPresence(client, settings, { onError: console.error });
 * await client.login(botToken);
 */
export function reportPresence(
  client: Client,
  settings: Pick<GuildSettingsClient, 'presence'>,
  { onError = () => {}, onReported = () => {}, intervals = DEFAULT_INTERVALS, signal }: ReportPresenceOptions = {},
): PresenceReporter {
  if (!new IntentsBitField(client.options.intents).has(IntentsBitField.Flags.Guilds)) {
    throw new TypeError(
      'Expected a client with the intent Guilds: new Client({ intents: [GatewayIntentBits.Guilds] })',
    );
  }
  // The first event of a session has the ids of all guilds.
  if (client.ws.shards.size > 0) {
    throw new TypeError('Expected a client that has not logged in: call reportPresence before client.login');
  }
  const reporter = new PresenceReporter({ client, settings, intervals, onError, onReported });
  if (signal?.aborted) void reporter.stop();
  signal?.addEventListener('abort', () => void reporter.stop(), { once: true });
  return reporter;
}
