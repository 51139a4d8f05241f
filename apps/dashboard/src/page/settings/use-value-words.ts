import type { Actor } from '@guild-settings/contract';
import type { KindName, Setting } from '@guild-settings/contract/settings';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Theirs } from '../draft/fields.ts';
import type { SharedWords } from '../i18n/use-shared.ts';
import { channelText, nameQuery, useNames } from '../people/names.ts';
import { rolesQuery, roleText } from '../people/roles.ts';
import { useChannels } from '../people/use-channels.ts';
import { featuresQuery, featureText } from './features.ts';
import { idsIn, type ValueWords } from './value-text.ts';

const isOfRoles = ({ declared }: Setting) => declared.kind === 'role';

/** The query of the function that reads what a person types. It is tried again as other queries are. */
const readerQuery = queryOptions({
  queryKey: ['typed-values'] as const,
  queryFn: async () => (await loadReader()).readValue,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

type Reader = typeof import('./typed-values.ts');

function loadReader(): Promise<Reader> {
  return import('./typed-values.ts').catch((error: unknown) => {
    // Chromium does not load an address again that has failed in a document. The error has it.
    const [address] = /https?:\S+\.js/.exec(String(error)) ?? [];
    if (address === undefined) throw error;
    return import(/* @vite-ignore */ `${address}?${Date.now()}`) as Promise<Reader>;
  });
}

/** Returns the texts and the reader of values. */
export function useValueWords(guild: string, theirs: Theirs, shared: SharedWords): ValueWords {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation();
  const client = useQueryClient();
  // The specified settings are texts and choices.
  const isDeclared = shared.settings.tag !== undefined;
  const { data: read, error } = useQuery({ ...readerQuery, enabled: isDeclared });
  const isLoading = isDeclared && read === undefined;
  const reason =
    error === null ? common('app.loading') : common(`failure.${navigator.onLine ? 'unavailable' : 'offline'}.heading`);
  const unread = isLoading ? reason : undefined;
  const idsOf = (kind: KindName) => idsIn(theirs.settings, shared.settings, kind);
  const { channels } = useChannels(guild, idsOf('channel'));
  const hasRoles = shared.settings.all.some((setting) => [setting, ...(setting.columns ?? [])].some(isOfRoles));
  const { data: roles } = useQuery({ ...rolesQuery(guild), enabled: hasRoles });
  const people = idsOf('user').map((id): Actor => ({ kind: 'user', id }));
  const { knownNameOf } = useNames(people);
  const names = people.map(knownNameOf).join('\n');
  const { data: features } = useQuery(featuresQuery);
  return useMemo(
    () => ({
      ...shared,
      t,
      channelText: (id: string) => channelText(id, channels),
      roleText: (id: string) => roleText(id, roles) ?? id,
      featureText: (id: string) => featureText(id, features, shared.language),
      // A person who was picked here also has a name.
      personText: (id: string) =>
        client.getQueryData(nameQuery(guild, id).queryKey)?.name ?? shared.shared('person.user', { id }),
      read,
      unread,
    }),
    // The texts depend on the names.
    [shared, t, channels, roles, features, client, guild, names, read, unread],
  );
}
