import { NoInput } from '../guild-patch.ts';
import { CurrentCaller } from '../users.ts';
import { operation } from './operation.ts';

const EXAMPLE: CurrentCaller = {
  kind: 'user',
  id: '53908099506183680',
  name: 'Mika',
  avatar: 'a_bab14f271d565501444b2ca3be944b25',
  scopes: ['identify', 'guilds'],
  expiresAt: '2026-11-29T08:00:00.000Z',
};

export const readCaller = operation({
  type: 'query',
  page: true,
  access: 'caller',
  input: NoInput,
  output: CurrentCaller,
  rest: {
    method: 'GET',
    path: '/users/@me',
    operationId: 'readCaller',
    tag: 'users',
    summary: 'Read who the caller is',
    description:
      'Returns the user or the application whose token was sent, the scopes of the token and when it expires, as Discord ' +
      'stated at the last check of the token.',
    response: 'The caller.',
    examples: { user: { summary: 'A user', value: EXAMPLE } },
    requestHeaders: [],
    problems: [],
  },
});
