import { ChannelsInput, GuildChannels } from '../guild-directory.ts';
import { LIST_BYTES, operation } from './operation.ts';

const EXAMPLE = [
  {
    id: '197038439483310101',
    type: 0,
    name: 'general',
    position: 0,
    parent_id: null,
    botCanPost: true,
    missing: [],
    botPermissions: '274877975552',
  },
  {
    id: '197038439483310102',
    type: 5,
    name: 'announcements',
    position: 1,
    parent_id: null,
    botCanPost: false,
    missing: ['SEND_MESSAGES'],
    botPermissions: '274877973504',
  },
] satisfies GuildChannels;

export const listGuildChannels = operation({
  type: 'query',
  page: true,
  access: 'view',
  input: ChannelsInput,
  output: GuildChannels.meta({ id: 'GuildChannels' }),
  maxOutputBytes: LIST_BYTES,
  rest: {
    method: 'GET',
    path: '/guilds/{guild}/channels',
    query: ['threads'],
    operationId: 'listChannels',
    tag: 'guilds',
    summary: 'List the channels and where the bot can post',
    description:
      "Requested from Discord with the bot's token, and at most 30 seconds old. Lists the channels that the caller sees, in " +
      "the order of Discord's client: the channels without a category, then each category with its channels. After them, with " +
      '`threads`: those of these threads and forum posts that are in the guild and visible to the caller, including archived ones. ' +
      '`missing` lists the permissions that the bot lacks to announce in a channel, and `botPermissions` has all of its permissions ' +
      'there. The application sees all channels.',
    response: 'The channels.',
    examples: { channels: { summary: 'A channel that the bot may write in, and one that it may not', value: EXAMPLE } },
    requestHeaders: ['X-On-Behalf-Of'],
    problems: ['bot-token-missing', 'discord-unavailable'],
  },
});
