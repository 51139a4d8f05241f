import { type DeclaredSettings, FollowEvent, Problem, SPECIFIED_SETTINGS } from '@guild-settings/contract';
import { initTRPC } from '@trpc/server';
import { generateOpenApiDocument, type OpenAPIObject, type OpenApiMeta } from 'trpc-openapi';
import { z } from 'zod';
import { Health } from '../observability/health.ts';
import { VERSION } from '../own-package.ts';
import { withDeclared } from './declared-document.ts';
import { HEADERS, REQUEST_HEADERS, SECURITY_SCHEME } from './headers.ts';
import { namesReferredIn, withOpenResponses } from './open-responses.ts';
import {
  completeOperations,
  PROBLEM_EXAMPLES,
  REST_OPERATIONS,
  type RestOperation,
  referredResponses,
  restOperations,
} from './operation-paths.ts';
import { servicePaths } from './service-paths.ts';

const DESCRIPTION = `Keeps the per-guild settings of a Discord bot. A first request:

\`\`\`bash
curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:3000/guilds/197038439483310086
\`\`\`

The token is a Discord OAuth2 access token of this application. People get one by the authorization code grant with the scopes
\`identify guilds\`: it reads and changes the guilds that they manage. Your own programs get one with the secret of the application, and
act as the application in every guild:

\`\`\`bash
curl -u "$CLIENT_ID:$CLIENT_SECRET" -d grant_type=client_credentials -d scope=applications.commands.update https://discord.com/api/v10/oauth2/token
\`\`\`

Every response has \`X-Request-Id\`, \`Cache-Control\`, \`Vary\` and \`Guild-Settings-Version\`. Failures are problem documents (RFC 9457). A path
that is not listed here is a 404. HEAD is supported wherever GET is, and OPTIONS on every path: a 204 that lists the supported
methods in \`Allow\`. Another method is a 405 with \`Allow\`. A CORS preflight from an allowed origin is a 204 on every path.

Headers that are for browsers only are not listed: \`X-Content-Type-Options\` and \`Content-Security-Policy\` of every response, and
\`Content-Encoding\` of pages and documents, which are compressed for clients that accept gzip.

Lengths of strings are in Unicode code points. Patterns are those that regular expressions of all languages can read. Rules
that such a pattern cannot express are in the descriptions.

Requests are closed: an unknown field or value is refused. Responses are open: later versions add fields, events, and values of
the lists named \`x-extensible-enum\`. Ignore what you do not know. \`Deprecation\` (RFC 9745) and \`Sunset\` (RFC 8594) announce
an operation that will end.`;

/**
 * Returns the OpenAPI 3.1 document of the service: the operations, which trpc-openapi generates from their declarations
 * and which are completed with headers, problems and examples, and the service's own paths. `apps/api/openapi.json` is
 * that of a deployment without declared settings.
 */
export function openApiDocument(settings: DeclaredSettings = SPECIFIED_SETTINGS): OpenAPIObject {
  const operations = restOperations({ isDeclared: settings.tag !== undefined });
  const document = generateOpenApiDocument(documentedRouter(operations), {
    title: 'guild-settings',
    description: DESCRIPTION,
    version: VERSION,
    openApiVersion: '3.1.0',
    baseUrl: '/',
    license: { name: 'MIT', identifier: 'MIT' },
    securitySchemes: {
      [SECURITY_SCHEME]: {
        type: 'http',
        scheme: 'bearer',
        description:
          'A Discord OAuth2 access token of this application: a user token with the scopes "identify guilds", or a ' +
          'client-credentials token with applications.commands.update.',
      },
    },
    defs: { ...bodySchemas(), FollowEvent, Health, Problem },
  });
  const paths = { ...completeOperations(document.paths ?? {}, operations), ...servicePaths() };
  const responses = referredResponses(paths);
  const complete = withOpenResponses({
    ...document,
    tags: [
      { name: 'access', description: 'Access for people besides managers.' },
      { name: 'features', description: 'The features of the bot, and those enabled in a guild.' },
      { name: 'guilds', description: 'Settings of guilds.' },
      { name: 'history', description: 'Who changed what, undo and restore.' },
      { name: 'service', description: 'Health, metrics and documentation of the service.' },
      { name: 'transfer', description: 'Export and import of settings.' },
      { name: 'users', description: 'The caller, the guilds that it manages, and the application.' },
    ],
    paths,
    components: {
      ...document.components,
      parameters: REQUEST_HEADERS,
      responses,
      headers: referred('headers', HEADERS, { paths, responses }),
      examples: referred('examples', PROBLEM_EXAMPLES, responses),
    },
  });
  return withDeclared(complete, settings);
}

function referred<Component>(kind: string, components: Readonly<Record<string, Component>>, referring: object) {
  const names = namesReferredIn(referring, `#/components/${kind}/`);
  return Object.fromEntries(Object.entries(components).filter(([name]) => names.has(name)));
}

/** Returns a router whose procedures have the schemas and routes of the operations, for documentation only. */
function documentedRouter(operations: readonly RestOperation[]) {
  const t = initTRPC.meta<OpenApiMeta>().create();
  const procedures = operations.map(({ rest, input, output }) => {
    const { method, path, operationId, tag, summary, description } = rest;
    const openapi = { method, path, operationId, tags: [tag], summary, description, errorResponses: [] };
    const procedure = t.procedure
      .meta({ openapi })
      .input(input)
      .output(rest.success === undefined ? output : z.object({}));
    const notCallable = () => {
      throw new Error('a procedure of the documentation was called');
    };
    return [operationId, method === 'GET' ? procedure.query(notCallable) : procedure.mutation(notCallable)] as const;
  });
  return t.router(Object.fromEntries(procedures));
}

function bodySchemas() {
  return Object.fromEntries(REST_OPERATIONS.flatMap(({ body }) => (body ? [[body.meta()?.title ?? '', body]] : [])));
}
