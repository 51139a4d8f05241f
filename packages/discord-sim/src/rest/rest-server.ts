import { createServer } from 'node:http';
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { type CallLog, recordCalls } from '../calls/call-log.ts';
import { type FaultInjection, injectFaults } from '../faults/inject-faults.ts';
import type { GatewayOptions } from '../gateway/gateway.ts';
import { localHostsOnly } from '../local-hosts.ts';
import { channels } from './bot/channels.ts';
import { commandPermissions } from './bot/command-permissions.ts';
import { commands, oneCommand } from './bot/commands.ts';
import { createMessage } from './bot/create-message.ts';
import { crosspost } from './bot/crosspost.ts';
import { currentApplication } from './bot/current-application.ts';
import { directMessages } from './bot/direct-messages.ts';
import { guilds } from './bot/guilds.ts';
import { interactionCallback } from './bot/interaction-callback.ts';
import { memberRoles } from './bot/member-roles.ts';
import { memberSearch } from './bot/member-search.ts';
import { messages } from './bot/messages.ts';
import { webhookMessages } from './bot/webhook-messages.ts';
import { allowCrossOrigin } from './cors.ts';
import { httpError } from './error-body.ts';
import { acceptJson } from './form/json-body.ts';
import { gatewayAddress, gatewayBot } from './gateway-address.ts';
import { handleErrors } from './handle-errors.ts';
import { currentAuthorization } from './oauth2/current-authorization.ts';
import { acceptForms } from './oauth2/form.ts';
import { revoke } from './oauth2/revoke.ts';
import { token } from './oauth2/token.ts';
import { API_PREFIX, withCurrentVersion, withLiteralAt } from './path.ts';
import { limitRates, type RateLimiting } from './rate-limit.ts';
import { users } from './users.ts';

export interface RestParts extends FaultInjection, RateLimiting {
  readonly calls: CallLog;
  readonly gatewayOptions: GatewayOptions;
  /** The address that the server listens on. */
  readonly host: string;
}

/**
 * Creates the REST API, which does not listen yet. A request passes the hooks in the order they are added here. Routes that
 * others register beside the API pass none of them.
 */
export function restServer(parts: RestParts): FastifyInstance {
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
        gatewayAddress(api);
        gatewayBot(api, world, gatewayOptions);
        currentAuthorization(api, world);
        currentApplication(api, world);
        // discord.py requests the application at its older path, `/oauth2/applications/@me`.
        api.register(async (oauth2) => currentApplication(oauth2, world), { prefix: '/oauth2' });
        for (const register of [users, guilds, memberSearch, memberRoles, channels]) register(api, world);
        for (const register of [createMessage, messages, crosspost, directMessages]) register(api, world);
        for (const register of [commands, oneCommand, commandPermissions]) register(api, world);
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

/** Names the media type as Discord does, which some clients compare as a whole. */
async function nameJsonWithoutCharset(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (reply.getHeader('content-type') === 'application/json; charset=utf-8')
    reply.header('content-type', 'application/json');
}
