import { Application } from '../application.ts';
import { NoInput } from '../guild-patch.ts';
import { inviteUrl } from '../permissions.ts';
import { operation } from './operation.ts';

const ID = '80351110224678912';

const EXAMPLE: Application = {
  id: ID,
  name: 'Melody',
  icon: null,
  inviteUrl: inviteUrl({ authorizeUrl: 'https://discord.com/oauth2/authorize', applicationId: ID }),
};

export const getApplication = operation({
  type: 'query',
  page: true,
  access: 'public',
  input: NoInput,
  output: Application,
  rest: {
    method: 'GET',
    path: '/application',
    operationId: 'getApplication',
    tag: 'users',
    summary: 'Get the application, and where to invite its bot',
    description:
      'Returns the Discord application whose bot the settings are for. Name and icon are as Discord stated them at the last ' +
      'check of a token, or to the bot, and null until then. The invitation requests the permissions that the bot uses.',
    response: 'The application.',
    responseHeaders: ['PublicCacheControl'],
    examples: { application: { summary: 'An application', value: EXAMPLE } },
    requestHeaders: [],
    problems: [],
  },
});
