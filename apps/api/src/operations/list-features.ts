import { hash } from 'node:crypto';
import {
  type DeclaredSettings,
  FEATURES,
  type Feature,
  FeatureCatalogue,
  type FeatureDeclaration,
  LANGUAGES,
  type Language,
  NoInput,
  type Texts,
  textIn,
} from '@guild-settings/contract';
import type { z } from 'zod';
import { evaluatePrecondition } from '../domain/precondition.ts';
import { everyRequest } from './caller-access.ts';
import { operation } from './operation.ts';

const CATALOGUES = new WeakMap<DeclaredSettings, Catalogue>();

const MAX_AGE_SECONDS = 300;

export const listFeatures = operation({
  type: 'query',
  access: everyRequest,
  input: NoInput,
  output: FeatureCatalogue,
  rest: {
    method: 'GET',
    path: '/features',
    operationId: 'listFeatures',
    tag: 'features',
    summary: 'List the features of the bot',
    description:
      'Everything that the bot has behind a name in `enabledFeatures`, with names and descriptions in all languages. ' +
      'Without credentials. Caches may keep it for five minutes.',
    response: 'The features.',
    examples: { features: { summary: 'All features', value: FEATURES } },
    requestHeaders: ['If-None-Match'],
    responseHeaders: ['PublicCacheControl'],
    problems: [],
  },
  async handle({ call: { services, request, response } }): Promise<z.infer<typeof FeatureCatalogue>> {
    const { features, json, contentTag } = catalogueOf(services.records.settings);
    const { ifNoneMatch } = request.precondition() ?? {};
    response.notModified = ifNoneMatch !== undefined && evaluatePrecondition({ ifNoneMatch }, contentTag) !== 'proceed';
    response.contentTag = contentTag;
    response.publicSeconds = MAX_AGE_SECONDS;
    response.json = json;
    // In the form that the router's type, which clients have, writes out in full.
    return [...features];
  },
});

interface Catalogue {
  readonly features: readonly Feature[];
  readonly json: string;
  /** The hash of the content: all processes of one version with one declaration have the same. */
  readonly contentTag: string;
}

function catalogueOf(settings: DeclaredSettings): Catalogue {
  const known = CATALOGUES.get(settings);
  if (known !== undefined) return known;
  const { features: declared } = settings.declaration ?? {};
  const features = declared === undefined ? FEATURES : Object.entries(declared).map(featureOf);
  const json = JSON.stringify(features);
  const catalogue = { features, json, contentTag: hash('sha256', json, 'base64url').slice(0, 16) };
  CATALOGUES.set(settings, catalogue);
  return catalogue;
}

function featureOf([name, { label, description = {} }]: [string, FeatureDeclaration]): Feature {
  return { name, beta: false, names: inEachLanguage(label), descriptions: inEachLanguage(description) };
}

function inEachLanguage(texts: Texts): Feature['names'] {
  const text = (language: Language) => textIn(texts, language) ?? '';
  return Object.fromEntries(LANGUAGES.map((language) => [language, text(language)])) as Feature['names'];
}
