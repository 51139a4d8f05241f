import { hash } from 'node:crypto';
import { FEATURES, FeatureCatalogue, NoInput } from '@guild-settings/contract';
import { evaluatePrecondition } from '../domain/precondition.ts';
import { everyone } from './caller-access.ts';
import { operation } from './operation.ts';

const JSON_TEXT = JSON.stringify(FEATURES);

/** The entity tag is the hash of the content: all processes of one version have the same. */
const SHARED = { tag: hash('sha256', JSON_TEXT, 'base64url').slice(0, 16), maxAgeSeconds: 300 } as const;

/** Lists the features that the bot has. */
export const listFeatures = operation({
  type: 'query',
  access: everyone,
  input: NoInput,
  output: FeatureCatalogue,
  rest: {
    method: 'GET',
    path: '/features',
    operationId: 'listFeatures',
    tag: 'features',
    summary: 'List the features of the bot',
    description:
      'Everything that the bot has behind a name in `enabledFeatures`, with names and descriptions in all languages. ' +
      'Without credentials. Caches may keep it for five minutes.',
    response: 'The features.',
    examples: { features: { summary: 'All features', value: FEATURES } },
    requestHeaders: ['If-None-Match'],
    problems: [],
  },
  async handle({ call: { request, response } }): Promise<FeatureCatalogue> {
    const { ifNoneMatch } = request.precondition() ?? {};
    response.notModified = ifNoneMatch !== undefined && evaluatePrecondition({ ifNoneMatch }, SHARED.tag) !== 'proceed';
    response.shared = SHARED;
    response.json = JSON_TEXT;
    return [...FEATURES];
  },
});
