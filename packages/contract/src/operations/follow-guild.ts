import { FollowEvent, FollowInput } from '../follow.ts';
import { EXAMPLE_GUILD } from './examples.ts';
import { operation } from './operation.ts';

export const followGuild = operation({
  type: 'subscription',
  page: true,
  access: 'view',
  input: FollowInput,
  output: FollowEvent,
  rest: {
    method: 'GET',
    path: '/guilds/{guild}/events',
    query: ['lastEventId'],
    operationId: 'followGuild',
    tag: 'guilds',
    summary: 'Follow the changes of a guild',
    description:
      'Server-sent events of one guild: the record first, then each change when it is committed, and whether it is in use. ' +
      'The id of an event resumes the stream after it, as `Last-Event-ID`. The permission is checked regularly, and ' +
      'the stream ends when it is lost. A person may have five streams open.',
    response: 'The stream. The data of each event has this schema, and its name is the type.',
    examples: { guild: { summary: 'The first event', value: { type: 'guild', revision: 42, guild: EXAMPLE_GUILD } } },
    requestHeaders: ['X-On-Behalf-Of'],
    problems: ['too-many-streams'],
  },
});
