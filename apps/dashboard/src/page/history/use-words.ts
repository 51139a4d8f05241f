import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { channelsQuery } from '../settings/channels.ts';
import type { Words } from './words.ts';

/** Returns what texts about changes depend on: the language of the page, and the channels of the guild where they are known. */
export function useWords(): Words {
  const { t, i18n } = useTranslation('history');
  const { guild } = useParams({ strict: false });
  const { data: channels } = useQuery({
    ...channelsQuery(guild ?? ''),
    enabled: guild !== undefined,
    // Names for reading: their ids will do where the service cannot ask for them.
    retryOnMount: false,
    refetchOnMount: false,
    refetchOnWindowFocus: false,
  });
  const { language } = i18n;
  return useMemo(() => {
    const names = new Map(channels?.map(({ id, name }) => [id, name]));
    return { t, language, channelName: (id) => names.get(id) };
  }, [t, language, channels]);
}
