import type { Actor } from '@guild-settings/contract';
import { actorName } from '@guild-settings/i18n';
import { useTranslation } from 'react-i18next';
import { useShared } from '../i18n/use-shared.ts';
import { useUser } from '../session/session.ts';

/** Returns how an author is called. The service knows people by their ids. */
export function usePersonName(): (actor: Actor) => string {
  const { t } = useTranslation('settings');
  const user = useUser();
  const words = useShared();
  return (actor) => (actor.kind === 'user' && actor.id === user?.id ? t('you') : actorName(actor, words));
}

/** Returns how times of this day are written. */
export function useTime(): (time: string | number) => string {
  const { i18n } = useTranslation();
  const format = new Intl.DateTimeFormat(i18n.language, { timeStyle: 'medium' });
  return (time) => format.format(new Date(time));
}
