import { Application, inviteUrl, NoInput } from '@guild-settings/contract';
import { everyRequest } from './caller-access.ts';
import { operation } from './operation.ts';

const MAX_AGE_SECONDS = 300;

const ID = '80351110224678912';

const EXAMPLE: Application = {
  id: ID,
  name: 'guild-settings',
  icon: null,
  inviteUrl: inviteUrl({ authorizeUrl: 'https://discord.com/oauth2/authorize', applicationId: ID }),
};

export const getApplication = operation({
  type: 'query',
  page: true,
  access: everyRequest,
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
  async handle({ call }): Promise<Application> {
    const { application } = call.services;
    const result = await application.get();
    // Until the name is known, a cache would keep that it is not.
    if (application.isKnown) call.response.publicSeconds = MAX_AGE_SECONDS;
    return result;
  },
});
