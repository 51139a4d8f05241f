import type { Operations } from '@guild-settings/contract/operations';
import type { Handler } from './handler.ts';

export const forgetUser: Handler<Operations['users']['forget']> = async ({ personId, call }) => {
  await call.services.people.forget(personId);
  return { body: null };
};
