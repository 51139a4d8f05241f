import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { announce, Notice } from '../design/panels.tsx';
import styles from './live-state.module.css';
import { useLiveState } from './settings-context.ts';
import type { Live } from './use-live.ts';
import { useTime } from './words.ts';

/** The state of the connection, over which changes of other managers arrive. */
export function LiveState(): ReactNode {
  const { t } = useTranslation('settings');
  const { state } = useLiveState();
  const wasLost = useRef(false);
  useEffect(() => {
    if (state === 'live' && wasLost.current) announce(t('live.back'));
    wasLost.current = state === 'lost';
  }, [state, t]);
  return (
    <p className={styles.live} data-live={state}>
      <span aria-hidden="true" className={styles.dot} />
      {t(state === 'live' ? 'live.on' : state === 'lost' ? 'live.lost' : 'live.connecting')}
    </p>
  );
}

/** The problems of the page's connection: a message above the settings. */
export function PageState(): ReactNode {
  const live = useLiveState();
  const kind = live.failure ?? (live.isErased ? 'erased' : undefined);
  if (kind !== 'offline' && kind !== 'unavailable' && kind !== 'forbidden' && kind !== 'erased') return null;
  return <StateNotice kind={kind} asOf={live.asOf} />;
}

interface StateNoticeProps extends Pick<Live, 'asOf'> {
  readonly kind: 'offline' | 'unavailable' | 'forbidden' | 'erased';
}

function StateNotice({ kind, asOf }: StateNoticeProps): ReactNode {
  const { t } = useTranslation(['settings', 'common']);
  const time = useTime();
  return (
    <Notice tone={kind === 'forbidden' ? 'danger' : 'warning'} role="alert">
      <h2>
        {kind === 'offline' || kind === 'unavailable'
          ? t(`failure.${kind}.heading`, { ns: 'common' })
          : t(`state.${kind}.heading`)}
      </h2>
      <p>{t(`state.${kind}.text`, { time: time(asOf) })}</p>
    </Notice>
  );
}
