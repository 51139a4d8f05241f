import type { ProblemSlug } from '@guild-settings/contract';
import type { OpenAPIObject } from 'trpc-openapi';
import { EXAMPLE_GUILD } from './examples.ts';
import { AUDIT_LOG_REASON, CONDITIONAL_PARAMETERS, headers, ON_BEHALF_OF } from './headers.ts';
import { problemResponses } from './problem-responses.ts';

type Paths = NonNullable<OpenAPIObject['paths']>;

const READING: readonly ProblemSlug[] = [
  'invalid-request',
  'not-authenticated',
  'invalid-token',
  'insufficient-scope',
  'not-guild-manager',
  'bot-absent',
  'request-timeout',
  'revision-mismatch',
  'rate-limited',
  'headers-too-large',
  'internal',
  'discord-unavailable',
  'store-unavailable',
];

const CHANGING: readonly ProblemSlug[] = [
  ...READING,
  'change-log-full',
  'invalid-body',
  'body-too-large',
  'unsupported-media-type',
];

const RECORD_HEADERS = headers('ETag', 'RateLimit', 'RateLimit-Policy');

/** The generated operations, completed. */
export function guildOperations(paths: Paths): Paths {
  return Object.fromEntries(
    Object.entries(paths).map(([path, { get, patch, ...item }]) => [
      path,
      {
        ...item,
        ...(get && {
          get: {
            ...get,
            parameters: [...(get.parameters ?? []), ...CONDITIONAL_PARAMETERS, ON_BEHALF_OF],
            responses: {
              200: recordResponse('The record.'),
              304: { description: 'The record is at this revision still.', headers: RECORD_HEADERS },
              ...problemResponses(READING),
            },
          },
        }),
        ...(patch && {
          patch: {
            ...patch,
            parameters: [...(patch.parameters ?? []), ...CONDITIONAL_PARAMETERS, AUDIT_LOG_REASON, ON_BEHALF_OF],
            requestBody: { required: true, content: patchContent() },
            responses: {
              200: recordResponse('The whole record after the change.'),
              ...problemResponses(CHANGING),
            },
          },
        }),
      },
    ]),
  );
}

function recordResponse(description: string) {
  return {
    description,
    headers: RECORD_HEADERS,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Guild' },
        examples: { guild: { summary: 'A guild', value: EXAMPLE_GUILD } },
      },
    },
  };
}

function patchContent() {
  const media = {
    schema: { $ref: '#/components/schemas/GuildPatch' },
    examples: {
      prefix: { summary: 'One field', value: { prefix: '?' } },
      several: { summary: 'Several fields', value: { beta: true, language: 'ja', enabledFeatures: ['reminders'] } },
      nothing: { summary: 'Nothing', value: {} },
    },
  };
  return { 'application/json': media, 'application/merge-patch+json': media };
}
