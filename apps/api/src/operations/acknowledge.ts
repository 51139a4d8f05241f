import type { Operations } from '@guild-settings/contract/operations';
import type { Handler } from './handler.ts';

export const acknowledge: Handler<Operations['guilds']['acknowledge']> = async ({ input, call }) => {
  return { body: await call.services.arrivals.acknowledge(input) };
};
