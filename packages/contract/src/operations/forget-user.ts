import { NoInput, NoResult } from '../guild-patch.ts';
import { operation } from './operation.ts';

export const forgetUser = operation({
  type: 'mutation',
  access: 'person',
  input: NoInput,
  output: NoResult,
  rest: {
    method: 'DELETE',
    path: '/users/@me/history',
    operationId: 'forgetUser',
    tag: 'history',
    summary: "Erase the caller's id from the history",
    description:
      "Replaces the caller's id by null in all changes that were made until now, in all guilds. The changes stay. The work " +
      'is done in the background, within seconds, and continues after a restart. Without such a change nothing is stored. ' +
      'Later changes can be erased after 24 hours; until then the response is 429 `rate-limited`. Entries of access lists, and the ' +
      'changes that made them, belong to the guild: its managers remove them.',
    success: 202,
    response: 'The request is recorded, and the work has begun; or there is nothing to erase.',
    requestHeaders: ['X-On-Behalf-Of'],
    problems: ['write-unconfirmed'],
  },
});
