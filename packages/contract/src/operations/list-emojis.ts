import { GuildEmojis } from '../guild-directory.ts';
import { GuildInput } from '../guild-patch.ts';
import { LIST_BYTES, operation } from './operation.ts';

const EXAMPLE = [
  { id: '197038439483310301', name: 'welcome', animated: false, available: true },
  { id: '197038439483310302', name: 'party', animated: true, available: false },
] satisfies GuildEmojis;

export const listGuildEmojis = operation({
  type: 'query',
  page: true,
  access: 'view',
  input: GuildInput,
  output: GuildEmojis.meta({ id: 'GuildEmojis' }),
  maxOutputBytes: LIST_BYTES,
  rest: {
    method: 'GET',
    path: '/guilds/{guild}/emojis',
    operationId: 'listEmojis',
    tag: 'guilds',
    summary: 'List the custom emojis',
    description:
      "Requested from Discord with the bot's token, and at most 30 seconds old. Lists the custom emojis of the guild. In a " +
      'message, one is `<:name:id>`, or `<a:name:id>` where it is animated.',
    response: 'The custom emojis.',
    examples: { emojis: { summary: 'A still emoji, and an animated one that cannot be used', value: EXAMPLE } },
    requestHeaders: ['X-On-Behalf-Of'],
    problems: ['bot-token-missing', 'discord-unavailable'],
  },
});
