import { hash } from 'node:crypto';
import { DEFAULT_SETTINGS, type DeclaredSettings, NoInput, ServedSettings } from '@guild-settings/contract';
import { evaluatePrecondition } from '../domain/precondition.ts';
import { everyRequest } from './caller-access.ts';
import { operation } from './operation.ts';

/** Seconds for which any cache may keep the response: a process that was started with another declaration has another one. */
const MAX_AGE_SECONDS = 60;

interface Served {
  readonly settings: ServedSettings;
  readonly json: string;
  readonly contentTag: string;
}

const SERVED = new WeakMap<DeclaredSettings, Served>();

export const readSettings = operation({
  type: 'query',
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
  async handle({ call: { services, request, response } }): Promise<ServedSettings> {
    const { settings, json, contentTag } = served(services.records.settings);
    const { ifNoneMatch } = request.precondition() ?? {};
    response.notModified = ifNoneMatch !== undefined && evaluatePrecondition({ ifNoneMatch }, contentTag) !== 'proceed';
    response.contentTag = contentTag;
    response.publicSeconds = MAX_AGE_SECONDS;
    response.json = json;
    return settings;
  },
});

function served(declared: DeclaredSettings): Served {
  const known = SERVED.get(declared);
  if (known !== undefined) return known;
  const { groups = {}, settings = {}, features = {} } = declared.declaration ?? {};
  const { custom: _, ...defaults } = declared.effective({});
  const document: ServedSettings = { tag: declared.tag ?? null, groups, settings, features, defaults };
  const json = JSON.stringify(document);
  const made = { settings: document, json, contentTag: hash('sha256', json, 'base64url').slice(0, 16) };
  SERVED.set(declared, made);
  return made;
}
