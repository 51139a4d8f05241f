import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../app/page-title.ts';

export function SettingsPage(): ReactNode {
  const { t } = useTranslation('settings');
  usePageTitle(t('title'));
  return <h1>{t('title')}</h1>;
}
