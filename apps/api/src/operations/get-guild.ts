import { Guild, GuildInput, ProblemError } from '@guild-settings/contract';
import { evaluatePrecondition } from '../domain/precondition.ts';
import { guildManager } from './authorize.ts';
import { EXAMPLE_GUILD } from './example-guild.ts';
import { operation } from './operation.ts';

/** Reads the record of a guild. */
export const getGuild = operation({
  type: 'query',
  access: guildManager,
  input: GuildInput,
  output: Guild,
  rest: {
    method: 'GET',
    path: '/guilds/{guild}',
    operationId: 'getGuild',
    tag: 'guilds',
    summary: 'Get guild information',
    description: 'Reads the record of a guild. A guild without changes has the defaults.',
    response: 'The record.',
    examples: { guild: { summary: 'A guild', value: EXAMPLE_GUILD } },
    requestHeaders: ['If-Match', 'If-None-Match', 'X-On-Behalf-Of'],
    problems: ['revision-mismatch'],
  },
  async handle({ guild: managed, version, call }): Promise<Guild> {
    const precondition = call.request.precondition();
    const { guild, revision } = await call.services.guilds.read(managed, version);
    const verdict = precondition && evaluatePrecondition(precondition, revision);
    if (verdict === 'failed') throw new ProblemError('revision-mismatch', { current: guild, revision });
    call.response.revision = revision;
    call.response.notModified = verdict === 'not-modified';
    return guild;
  },
});
