import { DEFAULT_SETTINGS } from '../guild.ts';
import { NoInput } from '../guild-patch.ts';
import { ServedSettings } from '../served-settings.ts';
import { operation } from './operation.ts';

export const readSettings = operation({
  type: 'query',
  page: true,
  access: 'public',
  input: NoInput,
  output: ServedSettings,
  isOfDeclaration: true,
  rest: {
    method: 'GET',
    path: '/settings',
    operationId: 'readSettings',
    tag: 'guilds',
    summary: 'Read the declaration of the settings',
    description:
      'The settings that this deployment declares, with their groups, kinds, limits, defaults and texts, and the defaults of ' +
      'the specified settings. `tag` names the declaration in the entity tags of records. Without credentials.',
    response: 'The declaration.',
    examples: {
      declared: {
        summary: 'A deployment that declares one setting',
        value: {
          tag: '1a2b3c4d',
          groups: {},
          settings: {
            xpRate: { kind: 'integer', min: 0, max: 100, default: 5, unit: '%', label: { 'en-US': 'Experience rate' } },
          },
          features: {},
          defaults: DEFAULT_SETTINGS,
        },
      },
    },
    requestHeaders: ['If-None-Match'],
    responseHeaders: ['PublicCacheControl'],
    problems: [],
  },
  publicSeconds: 60,
});
