import { EnableFeatureInput, FeatureInput, Guild } from '@guild-settings/contract';
import { guildAccess } from './authorize.ts';
import { EXAMPLE_GUILD } from './example-guild.ts';
import { operation, type RestRoute } from './operation.ts';
import { makeChange } from './update-guild.ts';

const PATH = '/guilds/{guild}/features/{feature}';

const DETAILS =
  ' Other features stay as they are, also those that are switched simultaneously. Succeeds without a new revision where ' +
  'nothing changes.';

const ROUTE = {
  path: PATH,
  tag: 'features',
  response: 'The whole record after the change.',
  requestHeaders: ['If-Match', 'If-None-Match', 'X-Audit-Log-Reason', 'X-On-Behalf-Of', 'Prefer'],
  responseHeaders: ['Arrival', 'Preference-Applied'],
} as const satisfies Partial<RestRoute>;

export const enableFeature = switchOperation(true, {
  ...ROUTE,
  method: 'PUT',
  alias: { method: 'POST', operationId: 'enableFeatureByPost' },
  operationId: 'enableFeature',
  summary: 'Enable a feature',
  description: `Adds a name to \`enabledFeatures\`, at the end.${DETAILS} A body is not read. POST does the same.`,
  examples: { guild: { summary: 'A guild', value: EXAMPLE_GUILD } },
  problems: ['too-many-features', 'revision-mismatch', 'change-log-full', 'write-unconfirmed'],
});

export const disableFeature = switchOperation(false, {
  ...ROUTE,
  method: 'DELETE',
  operationId: 'disableFeature',
  summary: 'Disable a feature',
  description: `Removes a name from \`enabledFeatures\`.${DETAILS}`,
  examples: { guild: { summary: 'A guild', value: { ...EXAMPLE_GUILD, enabledFeatures: [] } } },
  problems: ['revision-mismatch', 'change-log-full', 'write-unconfirmed'],
});

function switchOperation(isEnabled: boolean, rest: RestRoute) {
  return operation({
    type: 'mutation',
    page: true,
    access: guildAccess('edit'),
    // A stored name that can no longer be enabled can be disabled.
    input: isEnabled ? EnableFeatureInput : FeatureInput,
    output: Guild,
    rest,
    async handle(handled): Promise<Guild> {
      const { call, input } = handled;
      const feature = { name: input.feature, isEnabled };
      const { guild } = await makeChange(handled, {
        fields: () => ['enabledFeatures'],
        write: (permission, options) => call.services.guilds.switchFeature(permission, feature, options),
      });
      return guild;
    },
  });
}
