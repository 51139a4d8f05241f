import type { Operations } from '@guild-settings/contract/operations';
import type { Handler } from './handler.ts';

const MAX_AGE_SECONDS = 300;

export const getApplication: Handler<Operations['application']['get']> = async ({ call }) => {
  const { application } = call.services;
  const body = await application.get();
  // Not cached until the name is known.
  return application.isKnown ? { body, publicSeconds: MAX_AGE_SECONDS } : { body };
};
