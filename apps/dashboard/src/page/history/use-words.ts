import type { Words } from '@guild-settings/i18n';
import { SHARED } from '@guild-settings/i18n/constants';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useShared } from '../i18n/use-shared.ts';
import { channelsQuery, channelText } from '../people/channels.ts';

export interface HistoryWords extends Words {
  readonly t: TFunction<'history'>;
  readonly channelText: (id: string) => string;
}

/** Returns what texts about changes depend on: the language of the page, and the channels of the guild where they are known. */
export function useWords(): HistoryWords {
  const { t } = useTranslation(['history', 'settings', SHARED]);
  const shared = useShared();
  const { guild } = useParams({ strict: false });
  const { data: channels } = useQuery({
    ...channelsQuery(guild ?? ''),
    enabled: guild !== undefined,
    // Names for reading: their ids will do where the service cannot ask for them.
    retryOnMount: false,
    refetchOnMount: false,
    refetchOnWindowFocus: false,
  });
  return useMemo(() => ({ ...shared, t, channelText: (id) => channelText(id, channels) }), [t, shared, channels]);
}
