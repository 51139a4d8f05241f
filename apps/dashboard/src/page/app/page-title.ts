import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

/** Sets the title of the document: that of the page and its subject, such as "History · Discord Testers · Guild settings". */
export function usePageTitle(...parts: readonly (string | undefined)[]): void {
  const { t } = useTranslation();
  const title = [...parts, t('app.name')].filter((part) => part !== undefined).join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
