import type { Feature } from '@guild-settings/contract';
import { textIn } from '@guild-settings/contract/settings';
import { shorten } from '@guild-settings/i18n';
import { queryOptions } from '@tanstack/react-query';
import { sendQuery } from '../service/service.ts';

/** The query of the bot's features, which change with a release. */
export const featuresQuery = queryOptions({
  queryKey: ['features'] as const,
  queryFn: async ({ signal }) => (await sendQuery('features.list', undefined, { signal })).data,
  staleTime: 300_000,
});

export interface ListedFeature {
  readonly name: string;
  readonly label: string;
  readonly description: string | undefined;
  readonly isBeta: boolean;
  readonly isKnown: boolean;
}

/**
 * Returns the features of the catalogue in the reader's language, followed by enabled ones that it does not contain.
 * @param enabled all names that are or were enabled while the page is open, so that none disappears when it is switched
 * off
 */
export function listedFeatures(
  catalogue: readonly Feature[],
  enabled: Iterable<string>,
  language: string,
): ListedFeature[] {
  const known = new Set(catalogue.map(({ name }) => name));
  const unknown = [...new Set(enabled)].filter((name) => !known.has(name));
  return [
    ...catalogue.map(({ name, beta, names, descriptions }) => ({
      name,
      label: textIn(names, language) ?? name,
      description: textIn(descriptions, language),
      isBeta: beta,
      isKnown: true,
    })),
    ...unknown.map((name) => ({ name, label: name, description: undefined, isBeta: false, isKnown: false })),
  ];
}

export function featureText(id: string, catalogue: readonly Feature[] | undefined, language: string): string {
  const feature = catalogue?.find(({ name }) => name === id);
  return (feature && textIn(feature.names, language)) ?? shorten(id);
}
