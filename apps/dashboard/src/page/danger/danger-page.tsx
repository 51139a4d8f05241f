import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../app/page-title.ts';

export function DangerPage(): ReactNode {
  const { t } = useTranslation('danger');
  usePageTitle(t('title'));
  return <h1>{t('title')}</h1>;
}
