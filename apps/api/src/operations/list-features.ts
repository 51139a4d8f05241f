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
import { everyRequest } from './caller-access.ts';
import { operation } from './operation.ts';

const MAX_AGE_SECONDS = 300;

export const listFeatures = operation({
  type: 'query',
  page: true,
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
  document: (declared) => ({ value: featuresOf(declared), maxAgeSeconds: MAX_AGE_SECONDS }),
  async handle({ call }): Promise<z.infer<typeof FeatureCatalogue>> {
    // In the form that the router's type, which clients have, writes out in full.
    return [...featuresOf(call.services.records.settings)];
  },
});

function featuresOf({ declaration }: DeclaredSettings): readonly Feature[] {
  const declared = declaration?.features;
  return declared === undefined ? FEATURES : Object.entries(declared).map(featureOf);
}

function featureOf([name, { label, description = {} }]: [string, FeatureDeclaration]): Feature {
  return { name, beta: false, names: inEachLanguage(label), descriptions: inEachLanguage(description) };
}

function inEachLanguage(texts: Texts): Feature['names'] {
  const text = (language: Language) => textIn(texts, language) ?? '';
  return Object.fromEntries(LANGUAGES.map((language) => [language, text(language)])) as Feature['names'];
}
