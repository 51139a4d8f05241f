import type { Words } from '@guild-settings/i18n';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useShared } from '../i18n/use-shared.ts';

export interface HistoryWords extends Words {
  readonly t: TFunction<'history'>;
}

/** Returns what texts about changes depend on. */
export function useWords(): HistoryWords {
  const { t } = useTranslation(['history', 'settings', 'shared']);
  const shared = useShared();
  return useMemo(() => ({ ...shared, t }), [t, shared]);
}
