import { tagOf } from '@guild-settings/contract';
import type { Operations } from '@guild-settings/contract/operations';
import { accessVersionOf, evaluatePrecondition } from '../domain/record.ts';
import type { Handler } from './handler.ts';

export const readAccess: Handler<Operations['guilds']['access']> = async ({ stored, call }) => {
  const { ifNoneMatch } = call.request.precondition() ?? {};
  const version = accessVersionOf(stored);
  const notModified = ifNoneMatch !== undefined && evaluatePrecondition({ ifNoneMatch }, version) !== 'proceed';
  return { body: { entries: [...(stored?.access ?? [])] }, contentTag: tagOf(version), notModified };
};
