import {
  type DeclaredSettings,
  FEATURES,
  type Feature,
  type FeatureDeclaration,
  LANGUAGES,
  type Language,
  type Texts,
  textIn,
} from '@guild-settings/contract';
import { documentHandler } from './handler.ts';

export const listFeatures = documentHandler(featuresOf);

function featuresOf({ declaration }: DeclaredSettings): Feature[] {
  const declared = declaration?.features;
  return declared === undefined ? [...FEATURES] : Object.entries(declared).map(featureOf);
}

function featureOf([name, { label, description = {} }]: [string, FeatureDeclaration]): Feature {
  return { name, beta: false, names: inEachLanguage(label), descriptions: inEachLanguage(description) };
}

function inEachLanguage(texts: Texts): Feature['names'] {
  const text = (language: Language) => textIn(texts, language) ?? '';
  return Object.fromEntries(LANGUAGES.map((language) => [language, text(language)])) as Feature['names'];
}
