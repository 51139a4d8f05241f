import type { Operations } from '@guild-settings/contract/operations';
import type { Handler } from './handler.ts';

export const readChange: Handler<Operations['guilds']['change']> = async ({ guild, input, call }) => {
  return { body: await call.services.history.readEntry(guild, input.revision) };
};
