import type { Actor } from '@guild-settings/contract';
import { useTranslation } from 'react-i18next';
import { useUser } from '../session/session.ts';

/** Returns how an author is called. The service knows people by their ids. */
export function usePersonName(): (actor: Actor) => string {
  const { t } = useTranslation('settings');
  const user = useUser();
  return ({ kind, id }) => {
    if (kind === 'application') return t('person.application');
    if (kind !== 'user') return t('person.other');
    if (id === null) return t('person.erased');
    return id === user?.id ? t('person.you') : t('person.user', { id });
  };
}

/** Returns how times of this day are written. */
export function useTime(): (time: string | number) => string {
  const { i18n } = useTranslation();
  const format = new Intl.DateTimeFormat(i18n.language, { timeStyle: 'medium' });
  return (time) => format.format(new Date(time));
}
