import { fieldsOf } from '@guild-settings/contract';
import type { Operations } from '@guild-settings/contract/operations';
import type { Handler } from './handler.ts';
import { makeChange } from './write.ts';

export const updateGuild: Handler<Operations['guilds']['update']> = async (handled) => {
  const { call, input } = handled;
  const settings = fieldsOf(input);
  const { made, facts } = await makeChange(handled, {
    fields: () => Object.keys(settings),
    write: (permission, options) => call.services.guilds.update(permission, settings, options),
  });
  return { body: made.guild, ...facts };
};
