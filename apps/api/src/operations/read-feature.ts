import { FeatureInput, FeatureState, ProblemError } from '@guild-settings/contract';
import { guildAccess } from './authorize.ts';
import { operation } from './operation.ts';

export const readFeature = operation({
  type: 'query',
  access: guildAccess('view'),
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
  async handle({ guild: managed, stored, input: { feature: name }, call }): Promise<FeatureState> {
    const { guild } = call.services.records.at(managed, stored);
    if (!guild.enabledFeatures.includes(name)) throw new ProblemError('feature-not-enabled');
    return { name, enabled: true };
  },
});
