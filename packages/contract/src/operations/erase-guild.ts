import { GuildInput, NoResult } from '../guild-patch.ts';
import { operation } from './operation.ts';

export const eraseGuild = operation({
  type: 'mutation',
  page: true,
  access: 'owner',
  input: GuildInput,
  output: NoResult,
  rest: {
    method: 'DELETE',
    path: '/guilds/{guild}',
    operationId: 'eraseGuild',
    tag: 'guilds',
    summary: 'Erase a guild',
    description:
      "Erases the guild's settings and its history for good, whether the bot is in it or not. The guild has the defaults " +
      'afterwards, and watchers are notified. `If-Match` is required; `*` erases at any revision. Erasing what is erased ' +
      'already succeeds. With `Prefer: wait=2` the response is sent when no process has the settings any more, or after ' +
      '2 seconds.',
    success: 204,
    response: 'The settings and the history are gone.',
    requestHeaders: ['If-Match', 'If-None-Match', 'X-On-Behalf-Of', 'Prefer'],
    responseHeaders: ['Arrival', 'Preference-Applied'],
    problems: ['precondition-required', 'revision-mismatch', 'write-unconfirmed'],
  },
});
