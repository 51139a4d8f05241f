import { ProblemError, tagOf } from '@guild-settings/contract';
import type { Operations } from '@guild-settings/contract/operations';
import { evaluatePrecondition } from '../domain/record.ts';
import { logReaderOf } from './caller.ts';
import type { Handler } from './handler.ts';

export const getGuild: Handler<Operations['guilds']['get']> = async ({
  caller,
  guild: managed,
  stored,
  input: { at, epoch },
  call,
}) => {
  const { history, records } = call.services;
  const precondition = call.request.precondition();
  const { tag: declarationTag } = records.settings;
  const past =
    at === undefined ? undefined : await history.readAt(managed, { revision: at, epoch }, logReaderOf(call, caller));
  const { guild, ...version } = past ?? records.at(managed, stored);
  const verdict = precondition && evaluatePrecondition(precondition, version, declarationTag);
  if (verdict === 'failed') {
    throw new ProblemError('revision-mismatch', { current: guild, tag: tagOf(version, declarationTag) });
  }
  const immutable = past?.isFinal === true && epoch !== undefined;
  return { body: guild, version, immutable, notModified: verdict === 'not-modified' };
};
