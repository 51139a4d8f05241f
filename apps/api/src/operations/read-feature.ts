import { ProblemError } from '@guild-settings/contract';
import type { Operations } from '@guild-settings/contract/operations';
import type { Handler } from './handler.ts';

export const readFeature: Handler<Operations['guilds']['feature']> = async ({
  guild: managed,
  stored,
  input: { feature: name },
  call,
}) => {
  const { guild } = call.services.records.at(managed, stored);
  if (!guild.enabledFeatures.includes(name)) throw new ProblemError('feature-not-enabled');
  return { body: { name, enabled: true } };
};
