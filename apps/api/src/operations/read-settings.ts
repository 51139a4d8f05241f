import { DEFAULT_SETTINGS, type DeclaredSettings, NoInput, ServedSettings } from '@guild-settings/contract';
import { everyRequest } from './caller-access.ts';
import { operation } from './operation.ts';

const MAX_AGE_SECONDS = 60;

export const readSettings = operation({
  type: 'query',
  page: true,
  access: everyRequest,
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
  document: (declared) => ({ value: served(declared), maxAgeSeconds: MAX_AGE_SECONDS }),
  handle: async ({ call }): Promise<ServedSettings> => served(call.services.records.settings),
});

function served(declared: DeclaredSettings): ServedSettings {
  const { groups = {}, settings = {}, features = {} } = declared.declaration ?? {};
  const { custom: _, ...defaults } = declared.effective({});
  return { tag: declared.tag ?? null, groups, settings, features, defaults };
}
