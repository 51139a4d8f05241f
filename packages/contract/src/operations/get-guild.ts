import { GuildAtInput } from '../history.ts';
import { EXAMPLE_GUILD } from './examples.ts';
import { operation, RecordOutput } from './operation.ts';

export const getGuild = operation({
  type: 'query',
  page: true,
  access: 'view',
  input: GuildAtInput,
  output: RecordOutput,
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
});
