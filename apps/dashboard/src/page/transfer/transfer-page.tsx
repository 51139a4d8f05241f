import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../app/page-title.ts';

export function TransferPage(): ReactNode {
  const { t } = useTranslation('transfer');
  usePageTitle(t('title'));
  return <h1>{t('title')}</h1>;
}
