import type { GuildId, Snowflake } from '@guild-settings/contract';
import type { FastifyBaseLogger } from 'fastify';
import { createDiscordGet, DiscordUnavailableError, type TokenRejectedError } from '../auth/discord-api.ts';
import type { DiscordObserver, LookupQueue } from '../auth/discord-lookups.ts';
import type { ApplicationProfile } from '../auth/own-application.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { throttledWarning } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { createBotApi } from './bot-api.ts';
import { ChannelService, ThreadLookups } from './channels.ts';
import { EmojiService, GuildViews, RoleService } from './guild-view.ts';
import { MemberSearch, MemberService } from './members.ts';
import { ABSENT, createBotRequests, GuildLookups, type Pace, paced, problemOfLookup } from './requests.ts';

export interface BotServices {
  readonly channels: ChannelService;
  readApplication(): Promise<ApplicationProfile>;
  readonly members: MemberService;
  /**
   * Returns the ids of the roles of a member; empty if the person is not in the guild.
   * @throws ProblemError bot-token-missing, rate-limited, discord-unavailable
   */
  rolesOf(id: GuildId, userId: Snowflake): Promise<readonly Snowflake[]>;
  readonly memberSearch: MemberSearch;
  readonly roles: RoleService;
  readonly emojis: EmojiService;
}

interface BotServiceParts {
  readonly queues: { readonly bot: LookupQueue; readonly roles: LookupQueue };
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  readonly pace: Pace | undefined;
}

/** Creates the services that send requests to Discord as the bot; undefined without a bot token. */
export function createBotServices(
  { apiUrl, applicationId, botToken }: Config['discord'],
  { queues, metrics, clock, log, pace }: BotServiceParts,
): BotServices | undefined {
  if (botToken === undefined) return undefined;
  const { monotonicMs } = clock;
  const api = createBotApi(paced(createDiscordGet({ apiUrl, metrics }), pace), botToken);
  const requestsIn = (queue: LookupQueue) =>
    createBotRequests({ queue, monotonicMs, observer: observerOf(log, monotonicMs) });
  const requests = requestsIn(queues.bot);
  const lookups = new GuildLookups(requests, monotonicMs);
  // Separate limits: refusals of one kind of look-up do not stop the other.
  const roleLookups = new GuildLookups(requestsIn(queues.roles), monotonicMs);
  const views = new GuildViews({ api, lookups, applicationId, monotonicMs });
  const threads = new ThreadLookups({ api, lookups, monotonicMs });
  return {
    readApplication: () => requests.run(undefined, (signal) => api.application(signal)),
    channels: new ChannelService({ api, lookups, views, threads, clock }),
    members: new MemberService({ api, lookups, monotonicMs }),
    async rolesOf(id, userId) {
      const look = (signal: AbortSignal) => api.member(id, userId, signal);
      const member = await roleLookups
        .run({ id, person: userId }, look)
        .catch((error: unknown) => problemOfLookup(error, 'The roles'));
      return member === ABSENT ? [] : member.roleIds;
    },
    memberSearch: new MemberSearch({ api, lookups, monotonicMs }),
    roles: new RoleService(views, clock),
    emojis: new EmojiService(views),
  };
}

function observerOf(
  log: FastifyBaseLogger,
  monotonicMs: () => number,
): DiscordObserver<DiscordUnavailableError | TokenRejectedError> {
  const warn = throttledWarning({ log, message: 'a guild could not be read from Discord', monotonicMs });
  return {
    onFailure: (error) => warn(error instanceof DiscordUnavailableError ? error.fault : error.name, error),
    onOpen: (reason) =>
      log.warn({ err: reason }, 'Discord is unavailable: channels, roles and names cannot be read until it responds'),
    onClose: () => log.info('guilds can be read from Discord again'),
  };
}
