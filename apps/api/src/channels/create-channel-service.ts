import type { FastifyBaseLogger } from 'fastify';
import type { DiscordObserver } from '../auth/circuit.ts';
import { createDiscordGet } from '../auth/discord-api.ts';
import { DiscordUnavailableError, type TokenRejectedError } from '../auth/discord-errors.ts';
import type { LookupQueue } from '../auth/lookup-queue.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Metrics } from '../ops/metrics.ts';
import { throttledWarning } from '../ops/throttled-warning.ts';
import { createBotApi } from './bot-api.ts';
import { createBotRequests } from './bot-requests.ts';
import { ChannelService } from './channel-service.ts';

interface ChannelServiceParts {
  readonly queue: LookupQueue;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
}

/** Creates the service that lists channels; undefined without a bot token, with which it asks Discord. */
export function createChannelService(
  { apiUrl, applicationId, botToken }: Config['discord'],
  { queue, metrics, clock, log }: ChannelServiceParts,
): ChannelService | undefined {
  if (botToken === undefined) return undefined;
  return new ChannelService({
    api: createBotApi(createDiscordGet({ apiUrl, metrics }), botToken),
    requests: createBotRequests({
      queue,
      monotonicMs: clock.monotonicMs,
      observer: observerOf(log, clock.monotonicMs),
    }),
    applicationId,
    clock,
  });
}

/** Returns an observer that logs failures of requests with the bot's token. */
function observerOf(
  log: FastifyBaseLogger,
  monotonicMs: () => number,
): DiscordObserver<DiscordUnavailableError | TokenRejectedError> {
  const warn = throttledWarning({ log, message: 'Discord did not describe a guild to the bot', monotonicMs });
  return {
    onFailure: (error) => warn(error instanceof DiscordUnavailableError ? error.fault : error.name, error),
    onOpen: (reason) => log.warn({ err: reason }, 'Discord is unavailable: channels are not listed until it responds'),
    onClose: () => log.info('Discord lists channels again'),
  };
}
