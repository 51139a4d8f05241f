import { useEffect } from 'react';
import { useAppName } from '../service/identity.ts';

/** Sets the title of the document: that of the page and its subject, such as "History · Discord Testers · Guild settings". */
export function usePageTitle(...parts: readonly (string | undefined)[]): void {
  const title = [...parts, useAppName()].filter((part) => part !== undefined).join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
