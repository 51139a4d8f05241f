import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../app/page-title.ts';

const route = getRouteApi('/guilds/$guild/history/$revision');

export function ChangePage(): ReactNode {
  const { t } = useTranslation('history');
  const { revision } = route.useParams();
  usePageTitle(t('title'));
  return (
    <h1>
      {t('title')} {revision}
    </h1>
  );
}
