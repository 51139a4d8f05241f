import { EnableFeatureInput, FeatureInput } from '../feature-input.ts';
import { EXAMPLE_GUILD } from './examples.ts';
import { operation, RecordOutput, type RestRoute } from './operation.ts';

const DETAILS =
  ' Other features are not affected, even if they are switched simultaneously. Succeeds without a new revision if ' +
  'nothing changes.';

const ROUTE = {
  path: '/guilds/{guild}/features/{feature}',
  tag: 'features',
  response: 'The record after the change.',
  requestHeaders: ['If-Match', 'If-None-Match', 'X-Audit-Log-Reason', 'X-On-Behalf-Of', 'Prefer'],
  responseHeaders: ['Arrival', 'Preference-Applied'],
} as const satisfies Partial<RestRoute>;

export const enableFeature = operation({
  type: 'mutation',
  page: true,
  access: 'edit',
  input: EnableFeatureInput,
  output: RecordOutput,
  rest: {
    ...ROUTE,
    method: 'PUT',
    alias: { method: 'POST', operationId: 'enableFeatureByPost' },
    operationId: 'enableFeature',
    summary: 'Enable a feature',
    description: `Adds a name to \`enabledFeatures\`, at the end.${DETAILS} A body is not read. POST does the same.`,
    examples: { guild: { summary: 'A guild', value: EXAMPLE_GUILD } },
    problems: ['too-many-features', 'revision-mismatch', 'change-log-full', 'write-unconfirmed'],
  },
});

export const disableFeature = operation({
  type: 'mutation',
  page: true,
  access: 'edit',
  // A stored name that can no longer be enabled can still be disabled.
  input: FeatureInput,
  output: RecordOutput,
  rest: {
    ...ROUTE,
    method: 'DELETE',
    operationId: 'disableFeature',
    summary: 'Disable a feature',
    description: `Removes a name from \`enabledFeatures\`.${DETAILS}`,
    examples: { guild: { summary: 'A guild', value: { ...EXAMPLE_GUILD, enabledFeatures: [] } } },
    problems: ['revision-mismatch', 'change-log-full', 'write-unconfirmed'],
  },
});
