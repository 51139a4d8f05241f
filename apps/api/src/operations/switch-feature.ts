import type { Operations } from '@guild-settings/contract/operations';
import type { Handler } from './handler.ts';
import { makeChange } from './write.ts';

export const enableFeature: Handler<Operations['guilds']['enableFeature']> = switching(true);

export const disableFeature: Handler<Operations['guilds']['disableFeature']> = switching(false);

function switching(isEnabled: boolean): Handler<Operations['guilds']['enableFeature']> {
  return async (handled) => {
    const { call, input } = handled;
    const feature = { name: input.feature, isEnabled };
    const { made, facts } = await makeChange(handled, {
      fields: () => ['enabledFeatures'],
      write: (permission, options) => call.services.guilds.switchFeature(permission, feature, options),
    });
    return { body: made.guild, ...facts };
  };
}
