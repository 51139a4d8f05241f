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
      "Permanently erases the guild's settings and its history, even if the bot is not in it. The guild has the defaults " +
      'afterwards, and watchers are notified. `If-Match` is required; `*` erases at any revision. Repeating an erasure ' +
      'succeeds. With `Prefer: wait=2` the response is sent when no process has the settings any longer, or after ' +
      '2 seconds.',
    success: 204,
    response: 'The settings and the history are erased.',
    requestHeaders: ['If-Match', 'If-None-Match', 'X-On-Behalf-Of', 'Prefer'],
    responseHeaders: ['Arrival', 'Preference-Applied'],
    problems: ['precondition-required', 'revision-mismatch', 'write-unconfirmed'],
  },
});
