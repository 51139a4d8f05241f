import type { Actor } from '@guild-settings/contract';
import { useTranslation } from 'react-i18next';
import { useNames } from '../people/use-names.ts';
import { useUser } from '../session/session.ts';

/** Returns how the author of a change is called; undefined: there is none, or the name is still asked for. */
export function usePersonName(actor: Actor | undefined): string | undefined {
  const { t } = useTranslation('settings');
  const user = useUser();
  const isReader = actor?.kind === 'user' && actor.id === user?.id;
  const { nameOf, isPending } = useNames(actor === undefined || isReader ? [] : [actor]);
  if (isReader) return t('you');
  return actor === undefined || isPending ? undefined : nameOf(actor);
}

/** Returns how times of this day are written. */
export function useTime(): (time: string | number) => string {
  const { i18n } = useTranslation();
  const format = new Intl.DateTimeFormat(i18n.language, { timeStyle: 'medium' });
  return (time) => format.format(new Date(time));
}
