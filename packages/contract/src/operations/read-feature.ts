import { FeatureInput, FeatureState } from '../feature-input.ts';
import { operation } from './operation.ts';

export const readFeature = operation({
  type: 'query',
  access: 'view',
  input: FeatureInput,
  output: FeatureState,
  rest: {
    method: 'GET',
    path: '/guilds/{guild}/features/{feature}',
    operationId: 'readFeature',
    tag: 'features',
    summary: 'Read one feature',
    description: 'Returns the state of an enabled feature. A feature that is not enabled is a 404.',
    response: 'The feature is enabled.',
    examples: { enabled: { summary: 'An enabled feature', value: { name: 'reminders', enabled: true } } },
    requestHeaders: ['X-On-Behalf-Of'],
    problems: ['feature-not-enabled'],
  },
});
