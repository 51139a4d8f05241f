import type { Redactor } from '@guild-settings/runtime/log';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Metrics } from '../ops/metrics.ts';
import { throttledWarning } from '../ops/throttled-warning.ts';
import type { ApplicationTokens } from './application-tokens.ts';
import { Authenticator } from './authenticator.ts';
import { CIRCUIT_STATES, type DiscordObserver } from './circuit.ts';
import { createDiscordApi } from './discord-api.ts';
import { createInvalidTokenLimit } from './invalid-token-limit.ts';
import type { LookupQueue } from './lookup-queue.ts';
import type { OwnApplication } from './own-application.ts';
import { createTokenCheck, type TokenCheck } from './token-check.ts';

interface AuthenticatorParts {
  readonly applicationTokens: ApplicationTokens;
  /** Learns what Discord states with each check. */
  readonly application: OwnApplication;
  readonly queue: LookupQueue;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly log: FastifyBaseLogger;
}

export function createAuthenticator(config: Config, parts: AuthenticatorParts): Authenticator {
  const { check, rolesOf } = createCheck(config, parts);
  return new Authenticator({
    check,
    rolesOf,
    applicationTokens: parts.applicationTokens,
    applicationId: config.discord.applicationId,
    monotonicMs: parts.clock.monotonicMs,
    metrics: parts.metrics,
    ...config.auth,
  });
}

function createCheck(config: Config, parts: AuthenticatorParts): TokenCheck {
  const { application, queue, metrics, clock, redactor, log } = parts;
  const check = createTokenCheck({
    discord: createDiscordApi({ apiUrl: config.discord.apiUrl, metrics, onToken: redactor.add }),
    applicationId: config.discord.applicationId,
    limit: createInvalidTokenLimit(),
    queue,
    clock,
    observer: discordLog(log, clock.monotonicMs),
    onApplication: application.learn,
  });
  metrics.gauge('discord_circuit_state', () =>
    Object.fromEntries(CIRCUIT_STATES.map((state) => [state, state === check.circuit ? 1 : 0])),
  );
  return check;
}

function discordLog(log: FastifyBaseLogger, monotonicMs: () => number): DiscordObserver {
  const warn = throttledWarning({ log, message: 'Discord did not check a token', monotonicMs });
  return {
    onFailure: (error) => warn(error.fault, error),
    onOpen: (reason) => log.warn({ err: reason }, 'Discord is unavailable: no token is checked until it responds'),
    onClose: () => log.info('Discord is available again'),
  };
}
