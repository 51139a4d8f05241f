import { FeatureCatalogue } from '../feature-input.ts';
import { FEATURES } from '../features.ts';
import { NoInput } from '../guild-patch.ts';
import { operation } from './operation.ts';

export const listFeatures = operation({
  type: 'query',
  page: true,
  access: 'public',
  input: NoInput,
  output: FeatureCatalogue,
  rest: {
    method: 'GET',
    path: '/features',
    operationId: 'listFeatures',
    tag: 'features',
    summary: 'List the features of the bot',
    description:
      'The features that can be named in `enabledFeatures`, with names and descriptions in all languages. ' +
      'Needs no credentials. Caches may keep it for five minutes.',
    response: 'The features.',
    examples: { features: { summary: 'All features', value: FEATURES } },
    requestHeaders: ['If-None-Match'],
    responseHeaders: ['PublicCacheControl'],
    problems: [],
  },
  publicSeconds: 300,
});
