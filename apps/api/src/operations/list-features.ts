import { hash } from 'node:crypto';
import { FEATURES, FeatureCatalogue, NoInput } from '@guild-settings/contract';
import type { z } from 'zod';
import { evaluatePrecondition } from '../domain/precondition.ts';
import { everyRequest } from './caller-access.ts';
import { operation } from './operation.ts';

const JSON_TEXT = JSON.stringify(FEATURES);

/** The entity tag is the hash of the content: all processes of one version have the same. */
const TAG = hash('sha256', JSON_TEXT, 'base64url').slice(0, 16);

/** Seconds for which any cache may keep the response. */
const MAX_AGE_SECONDS = 300;

/** Lists the features that the bot has. */
export const listFeatures = operation({
  type: 'query',
  access: everyRequest,
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
    responseHeaders: ['PublicCacheControl'],
    problems: [],
  },
  async handle({ call: { request, response } }): Promise<z.infer<typeof FeatureCatalogue>> {
    const { ifNoneMatch } = request.precondition() ?? {};
    response.notModified = ifNoneMatch !== undefined && evaluatePrecondition({ ifNoneMatch }, TAG) !== 'proceed';
    response.contentTag = TAG;
    response.publicSeconds = MAX_AGE_SECONDS;
    response.json = JSON_TEXT;
    // In the form that the router's type, which clients have, writes out in full.
    return [...FEATURES];
  },
});
