import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './skeleton.module.css';

/** The place of something that is loading, in CSS lengths. Hidden from screen readers: see `Loading`. */
export function Skeleton({
  width = '100%',
  height = '1rem',
}: {
  readonly width?: string;
  readonly height?: string;
}): ReactNode {
  return <span aria-hidden="true" className={styles.skeleton} style={{ inlineSize: width, blockSize: height }} />;
}

export function Loading({ children }: { readonly children?: ReactNode }): ReactNode {
  const { t } = useTranslation();
  return (
    <div role="status" aria-busy="true">
      <span className="visually-hidden">{t('app.loading')}</span>
      {children ?? <Skeleton height="8rem" />}
    </div>
  );
}

/** The place of a page that is loading, with a heading of the first level, as every page has. */
export function PageLoading(): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <h1 className="visually-hidden" data-placeholder>
        {t('app.name')}
      </h1>
      <Loading />
    </>
  );
}
