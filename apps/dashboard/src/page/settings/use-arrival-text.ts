import type { ReceivedArrival } from '@guild-settings/client/browser';
import { liveText } from '@guild-settings/i18n';
import { useTranslation } from 'react-i18next';
import { useShared } from '../i18n/use-shared.ts';

export function useArrivalText(): (arrival: ReceivedArrival | undefined) => string {
  const { t } = useTranslation('settings');
  const { shared } = useShared();
  return (arrival) => {
    const { state, ...where } = arrival ?? { state: 'unknown' };
    switch (state) {
      case 'live':
        return liveText(where, { shared }) ?? t('arrival.liveUnknown');
      case 'pending':
      case 'rejected':
      case 'away':
        return t(`arrival.${state}`);
      default:
        return t('arrival.unknown');
    }
  };
}
