import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../design/empty-state.tsx';
import { Link } from '../design/link.tsx';
import { usePageTitle } from '../service/identity.js';

export function NotFound(): ReactNode {
  const { t } = useTranslation();
  usePageTitle(t('failure.not-found.heading'));
  return (
    <EmptyState icon="search">
      <h1>{t('failure.not-found.heading')}</h1>
      <p>{t('failure.not-found.text')}</p>
      <div>
        <Link to="/" button="primary">
          {t('failure.back')}
        </Link>
      </div>
    </EmptyState>
  );
}
