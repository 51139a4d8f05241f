import { setMaxListeners } from 'node:events';
import { createServer } from 'node:http';
import { RESTJSONErrorCodes } from 'discord-api-types/v10';
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { AUTHORIZE_PATH, authorize } from './authorize/authorize.ts';
import { CallLog, recordCalls } from './call-log.ts';
import { CHAT_PATH, chat } from './chat/chat.ts';
import { type FaultInjection, FaultPlan, injectFaults } from './faults.ts';
import { Gateway, type GatewayOptions } from './gateway/gateway.ts';
import { localHosts, localHostsOnly } from './local-access.ts';
import { MessageReader } from './people/message-reader.ts';
import { People } from './people/people.ts';
import { currentApplication, gatewayAddress } from './rest/application-routes.ts';
import { commandPermissions, commands } from './rest/command-routes.ts';
import { httpError, RestRefusal } from './rest/error-body.ts';
import { acceptJson } from './rest/form.ts';
import { guilds, memberRoles } from './rest/guild-routes.ts';
import { images } from './rest/images.ts';
import { interactionCallback, webhookMessages } from './rest/interaction-routes.ts';
import { createMessage, directMessages, messages } from './rest/message-routes.ts';
import { acceptForms, currentAuthorization, revoke, token } from './rest/oauth2.ts';
import { API_PREFIX, isUnknownVersion, withCurrentVersion, withLiteralAt } from './rest/path.ts';
import { limitRates, RATE_LIMIT_HEADERS, type RateLimit, type RateLimiting } from './rest/rate-limit.ts';
import { users } from './rest/user-routes.ts';
import type { Clock } from './world/snowflake.ts';
import { World } from './world/world.ts';

export interface DiscordSimOptions {
  /** `127.0.0.1` unless given. */
  readonly host?: string;
  /** 0, any free port, unless given. */
  readonly port?: number;
  /** The clock of tokens, codes and rate limits; the system's unless given. */
  readonly clock?: Clock;
  /** Per token and route; 10,000 calls a second unless given. */
  readonly rateLimit?: RateLimit;
  /** Per bot; 50 calls a second unless given, as at Discord. */
  readonly globalRateLimit?: RateLimit;
  readonly gateway?: GatewayOptions;
}

export interface DiscordSim extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`. Icons and avatars are below it, as below `https://cdn.discordapp.com`. */
  readonly url: string;
  readonly apiUrl: string;
  readonly chatUrl: string;
  /** The URL of the authorization page, without a query: `http://127.0.0.1:PORT/oauth2/authorize` */
  readonly authorizeUrl: string;
  readonly world: World;
  readonly gateway: Gateway;
  readonly people: People;
  readonly messages: MessageReader;
  readonly faults: FaultPlan;
  readonly calls: CallLog;
  /** Stops listening and destroys every connection. Idempotent. */
  close(): Promise<void>;
}

const DEFAULT_RATE_LIMIT: RateLimit = { limit: 10_000, windowMs: 1_000 };

/** @see https://docs.discord.com/developers/topics/rate-limits#global-rate-limit */
const DISCORDS_GLOBAL_RATE_LIMIT: RateLimit = { limit: 50, windowMs: 1_000 };

/**
 * Starts a Discord without users, guilds or applications.
 *
 * @throws {Error} with code `EADDRINUSE` when the port is taken
 */
export async function startDiscordSim({
  host = '127.0.0.1',
  port = 0,
  clock = Date.now,
  rateLimit = DEFAULT_RATE_LIMIT,
  globalRateLimit = DISCORDS_GLOBAL_RATE_LIMIT,
  gateway: gatewayOptions = {},
}: DiscordSimOptions = {}): Promise<DiscordSim> {
  const world = new World(clock);
  const faults = new FaultPlan();
  const calls = new CallLog(clock);
  const closing = new AbortController();
  // Every delayed response adds a listener.
  setMaxListeners(0, closing.signal);
  const messages = new MessageReader(world, closing.signal);
  const people = new People(world, messages);
  const limits = { rateLimit, globalRateLimit };
  const server = restServer({ world, calls, faults, ...limits, clock, gatewayOptions, closing: closing.signal, host });
  chat(server, { world, people, messages, closing: closing.signal });
  authorize(server, world);
  images(server, world);
  const gateway = new Gateway(world, server.server, gatewayOptions, localHosts(host));
  await server.ready();
  const url = await server.listen({ host, port });

  const close = async (): Promise<void> => {
    closing.abort();
    gateway.close();
    await server.close();
  };
  const apiUrl = `${url}${API_PREFIX}`;
  const chatUrl = `${url}${CHAT_PATH}`;
  const authorizeUrl = `${url}${AUTHORIZE_PATH}`;
  const parts = { world, gateway, people, messages, faults, calls };
  return { url, apiUrl, chatUrl, authorizeUrl, ...parts, close, [Symbol.asyncDispose]: close };
}

interface RestParts extends FaultInjection, RateLimiting {
  readonly calls: CallLog;
  readonly gatewayOptions: GatewayOptions;
  readonly host: string;
}

/**
 * Creates the REST API without listening. A request passes the hooks in the order in which they are added here. Routes
 * that are registered beside the API do not pass them.
 */
function restServer(parts: RestParts): FastifyInstance {
  const { world, calls, clock, gatewayOptions, host } = parts;
  const app = fastify({
    serverFactory: (serve, { keepAliveTimeout }) =>
      createServer({ keepAliveTimeout: Number(keepAliveTimeout) }, localHostsOnly(host)(serve)),
    forceCloseConnections: true,
    rewriteUrl: ({ url = '/' }) => withCurrentVersion(withLiteralAt(url)),
    frameworkErrors: (_error: FastifyError, _request: FastifyRequest, reply: FastifyReply) => {
      reply.code(400).send(httpError(400));
    },
  });
  app.register(async (discord) => {
    recordCalls(discord, calls);
    discord.addHook('onRequest', async (_request, reply) => {
      reply.header('date', new Date(clock()).toUTCString());
    });
    discord.addHook('onSend', nameJsonWithoutCharset);
    allowCrossOrigin(discord);
    limitRates(discord, parts);
    injectFaults(discord, parts);
    handleErrors(discord);
    discord.register(
      async (api) => {
        acceptJson(api);
        gatewayAddress(api, world, gatewayOptions);
        currentAuthorization(api, world);
        currentApplication(api, world);
        // discord.py requests the application at its older path, `/oauth2/applications/@me`.
        api.register(async (oauth2) => currentApplication(oauth2, world), { prefix: '/oauth2' });
        for (const register of [users, guilds, memberRoles]) register(api, world);
        for (const register of [createMessage, messages, directMessages]) register(api, world);
        for (const register of [commands, commandPermissions]) register(api, world);
        for (const register of [interactionCallback, webhookMessages]) register(api, world);
        api.register(async (forms) => {
          acceptForms(forms);
          token(forms, world);
          revoke(forms, world);
        });
      },
      { prefix: API_PREFIX },
    );
  });
  return app;
}

/** Sets the media type like Discord, which some clients compare exactly. */
async function nameJsonWithoutCharset(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (reply.getHeader('content-type') === 'application/json; charset=utf-8')
    reply.header('content-type', 'application/json');
}

const EVERY_ANSWER = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': [
    'retry-after',
    'x-ratelimit-global',
    'x-ratelimit-scope',
    'date',
    ...RATE_LIMIT_HEADERS,
  ].join(', '),
};

const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': 'Authorization, Content-Type, If-None-Match, X-Audit-Log-Reason, X-Track',
  'access-control-max-age': '86400',
};

/** Allows browsers of any origin, with bearer tokens and without cookies. Handles preflights. */
function allowCrossOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(EVERY_ANSWER);
    return request.method === 'OPTIONS' ? reply.code(204).headers(PREFLIGHT).send() : undefined;
  });
}

function handleErrors(app: FastifyInstance): void {
  const knownPaths = new Set<string>();
  app.addHook('onRoute', ({ url }) => void knownPaths.add(url));

  app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
    if (error instanceof RestRefusal) return reply.code(error.status).send(error.body);
    const status = error.statusCode ?? 500;
    return reply.code(status).send(httpError(status));
  });

  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?', 1);
    if (isUnknownVersion(path)) {
      return reply.code(400).send({ message: 'Invalid API version', code: RESTJSONErrorCodes.InvalidAPIVersion });
    }
    const status = path.startsWith(API_PREFIX) && knownPaths.has(path) ? 405 : 404;
    return reply.code(status).send(httpError(status));
  });
}
