import { Guild, GuildAtInput, ProblemError, tagOf } from '@guild-settings/contract';
import { evaluatePrecondition } from '../domain/precondition.ts';
import { guildAccess } from './authorize.ts';
import { EXAMPLE_GUILD } from './example-guild.ts';
import { logReaderOf } from './log-reader.ts';
import { operation } from './operation.ts';

export const getGuild = operation({
  type: 'query',
  page: true,
  access: guildAccess('view'),
  input: GuildAtInput,
  output: Guild,
  rest: {
    method: 'GET',
    path: '/guilds/{guild}',
    query: ['at', 'epoch'],
    operationId: 'getGuild',
    tag: 'guilds',
    summary: 'Get guild information',
    description:
      'Reads the record of a guild. A guild without changes has the defaults. With `at`, the record as it was at a ' +
      'revision, which never changes and may be cached.',
    response: 'The record.',
    examples: { guild: { summary: 'A guild', value: EXAMPLE_GUILD } },
    requestHeaders: ['If-Match', 'If-None-Match', 'X-On-Behalf-Of'],
    problems: ['revision-mismatch', 'revision-unknown'],
  },
  async handle({ caller, guild: managed, stored, input: { at, epoch }, call }): Promise<Guild> {
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
    call.response.version = version;
    call.response.immutable = past?.isFinal === true && epoch !== undefined;
    call.response.notModified = verdict === 'not-modified';
    return guild;
  },
});
