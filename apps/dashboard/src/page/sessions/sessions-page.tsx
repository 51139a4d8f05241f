import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../app/page-title.ts';

export function SessionsPage(): ReactNode {
  const { t } = useTranslation('sessions');
  usePageTitle(t('title'));
  return <h1>{t('title')}</h1>;
}
