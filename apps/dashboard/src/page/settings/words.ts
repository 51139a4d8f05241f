import type { Actor } from '@guild-settings/contract';
import { useTranslation } from 'react-i18next';
import { timeText } from '../i18n/time.ts';
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

/** Returns how times are written: those of another day with their date. */
export function useTime(): (time: string | number) => string {
  const { language } = useTranslation().i18n;
  return (time) => timeText(new Date(time).getTime(), Date.now(), { language });
}
