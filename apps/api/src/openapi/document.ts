import { GuildPatch, Problem } from '@guild-settings/contract';
import { generateOpenApiDocument, type OpenAPIObject } from 'trpc-openapi';
import { Health } from '../ops/health.ts';
import { appRouter } from '../transport/trpc/router.ts';
import { guildOperations } from './guild-operations.ts';
import { HEADERS } from './headers.ts';
import { withHeadAndOptions } from './other-methods.ts';
import { PROBLEM_EXAMPLES } from './problem-responses.ts';
import { servicePaths } from './service-paths.ts';

const DESCRIPTION = `Keeps the per-guild settings of a Discord bot.

Every answer carries \`X-Request-Id\`, \`Cache-Control\` and \`Vary\`. Failures are problem documents (RFC 9457). A path
that is not listed here is answered with 404; a listed path answers a method that is not listed with 405, naming the
ones it takes in \`Allow\`.`;

/**
 * The OpenAPI 3.1 document of the service: the procedures' part generated from the router, completed with what a router
 * cannot know (headers, every failure, examples), and the service's own addresses. `apps/api/openapi.json` is a copy.
 */
export function openApiDocument(): OpenAPIObject {
  const document = generateOpenApiDocument(appRouter, {
    title: 'guild-settings',
    description: DESCRIPTION,
    version: '1.0.0',
    openApiVersion: '3.1.0',
    baseUrl: '/',
    license: { name: 'MIT', identifier: 'MIT' },
    securitySchemes: {
      discord: {
        type: 'http',
        scheme: 'bearer',
        description:
          'A Discord OAuth2 access token of this application: a user token with the scopes "identify guilds", or a ' +
          'client-credentials token with applications.commands.update.',
      },
    },
    defs: { GuildPatch, Health, Problem },
  });
  return {
    ...document,
    tags: [
      { name: 'guilds', description: 'Settings of guilds.' },
      { name: 'service', description: 'The service about itself.' },
    ],
    paths: withHeadAndOptions({ ...guildOperations(document.paths ?? {}), ...servicePaths() }),
    components: { ...document.components, headers: HEADERS, examples: PROBLEM_EXAMPLES },
  };
}
