import type { ReceivedArrival } from '@guild-settings/client/browser';
import type { FollowEvent } from '@guild-settings/contract';
import { sentences } from '@guild-settings/i18n';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announce, Notice } from '../design/panels.tsx';
import { received } from '../draft/draft.ts';
import type { DraftStore } from '../draft/draft-store.ts';
import { type Field, type FieldChangedBy, type Theirs, theirsOf } from '../draft/fields.ts';
import { noteBotPresence, readLevelAgain } from '../guilds/guilds.ts';
import { timeText } from '../i18n/time.ts';
import { type FailureKind, failureOf } from '../service/failure.ts';
import { type FollowState, followGuild } from '../service/follow-guild.ts';
import { servedSettingsQuery } from '../service/served-settings.ts';
import { useSession } from '../session/session.ts';
import { guildQuery } from './saver.ts';
import styles from './settings.module.css';
import { useWholeDraft } from './settings-context.ts';

export function LiveState({ live: { state } }: { readonly live: Live }): ReactNode {
  const { t } = useTranslation('settings');
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

/** The problems of the page's connection, as a message above the settings. */
export function PageState({ live }: { readonly live: Live }): ReactNode {
  const kind = live.failure ?? (live.isErased ? 'erased' : undefined);
  if (kind !== 'offline' && kind !== 'unavailable' && kind !== 'forbidden' && kind !== 'erased') return null;
  return <StateNotice kind={kind} asOf={live.asOf} />;
}

interface StateNoticeProps extends Pick<Live, 'asOf'> {
  readonly kind: 'offline' | 'unavailable' | 'forbidden' | 'erased';
}

function StateNotice({ kind, asOf }: StateNoticeProps): ReactNode {
  const { t, i18n } = useTranslation(['settings', 'common']);
  const { hasChanges } = useWholeDraft();
  return (
    <Notice tone={kind === 'forbidden' ? 'danger' : 'warning'} role="alert">
      <h2>
        {kind === 'offline' || kind === 'unavailable'
          ? t(`failure.${kind}.heading`, { ns: 'common' })
          : t(`state.${kind}.heading`)}
      </h2>
      <p>
        {sentences(
          t(`state.${kind}.text`, { time: timeText(asOf, Date.now(), { language: i18n.language }) }),
          hasChanges && t(`state.${kind}.kept`),
        )}
      </p>
    </Notice>
  );
}

export interface Live {
  readonly state: FollowState;
  /** The reason why the settings could not be read after the connection was lost. */
  readonly failure: FailureKind | undefined;
  /** The last time when the page had the current settings, in milliseconds since 1970. */
  readonly asOf: number;
  /** The time of the last successful connection, in milliseconds since 1970. 0: none yet. */
  readonly liveSince: number;
  readonly arrival: (ReceivedArrival & { readonly revision: number }) | undefined;
  readonly isErased: boolean;
  /** The declaration tag of the service that sends the events; null: no declaration. Undefined: not known yet. */
  readonly declaration: string | null | undefined;
}

interface UseLiveOptions {
  readonly guild: string;
  readonly store: DraftStore;
  /** Returns true if this page made the change, so that it is not announced. */
  readonly isOwnChange: (event: Changed) => boolean;
  /** Applies the record after the person's own change, which may be an undo. */
  readonly onOwnChange: (theirs: Theirs) => void;
  readonly onChange: (event: Changed) => void;
}

export type Changed = Extract<FollowEvent, { type: 'changed' }>;

/** Passes the events of a guild on to a draft, and reads the guild when events may have been missed. */
export function useLive({ guild, store, isOwnChange, onOwnChange, onChange }: UseLiveOptions): Live {
  const client = useQueryClient();
  const [live, setLive] = useState<Live>(() => ({
    state: 'connecting',
    failure: undefined,
    asOf: Date.now(),
    liveSince: 0,
    arrival: undefined,
    isErased: false,
    declaration: undefined,
  }));
  const note = (part: Partial<Live>) => setLive((now) => ({ ...now, ...part }));

  const read = useEffectEvent(async (upTo = 0) => {
    try {
      const theirs = await client.fetchQuery({ ...guildQuery(guild), staleTime: 0, retry: false });
      store.update(received, { ...theirs, upTo: Math.max(theirs.upTo, upTo) }, upTo > 0 ? 'always' : 'newer');
      note({ failure: undefined, asOf: Date.now() });
    } catch (error) {
      const { kind } = failureOf(error);
      if (kind === 'bot-absent') noteBotPresence(client, guild, false);
      note({ failure: kind });
    }
  });

  /** Reads data that a restarted service may have changed. */
  const readAll = useEffectEvent(async () => {
    note({ declaration: undefined });
    await Promise.all([read(), client.invalidateQueries({ queryKey: servedSettingsQuery.queryKey })]);
  });

  /**
   * Returns the record of an event. The tag of the same revision is kept: if it was made in another epoch, the service
   * refuses it.
   */
  const theirsIn = ({ guild: record, revision }: Extract<FollowEvent, { guild: unknown }>): Theirs => {
    const known = store.read().theirs;
    return theirsOf(record, revision, known.revision === revision ? known.etag : undefined);
  };

  const take = useEffectEvent((event: FollowEvent) => {
    note({ failure: undefined, asOf: Date.now() });
    switch (event.type) {
      case 'guild':
        store.update(received, theirsIn(event), 'always');
        return;
      case 'changed': {
        if (event.revision <= store.read().theirs.upTo) return;
        const isOwn = isOwnChange(event);
        const theirs = theirsIn(event);
        if (isOwn) onOwnChange(theirs);
        else store.update(received, { ...theirs, changedBy: changedByOf(event) });
        note({ isErased: false });
        if (!isOwn) onChange(event);
        return;
      }
      case 'presence':
        store.update(received, theirsIn(event));
        // A value of a newer service is ignored.
        if (event.presence === 'present' || event.presence === 'left') {
          noteBotPresence(client, guild, event.presence === 'present');
        }
        return;
      case 'arrival':
        note({ arrival: arrivalOf(event) });
        return;
      case 'access':
        readLevelAgain(client, guild);
        return;
      case 'erased':
        void read(event.revision).then(() => note({ isErased: true }));
        return;
      default:
        return;
    }
  });

  const noteDeclaration = useEffectEvent((declaration: string | null) => note({ declaration }));

  const setState = useEffectEvent((state: FollowState) =>
    setLive((now) =>
      now.state === state ? now : { ...now, state, liveSince: state === 'live' ? Date.now() : now.liveSince },
    ),
  );
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    void followGuild({
      guild,
      signal,
      onState: (state) => setState(state),
      onEvent: (event) => take(event),
      onDeclaration: (tag) => noteDeclaration(tag),
      onLost: () => readAll(),
    });
    return () => controller.abort();
  }, [guild]);

  // The stream may still be open although the browser no longer has its session.
  const isOver = useSession()?.state === 'over';
  return isOver && live.state === 'live' ? { ...live, state: 'lost' } : live;
}

function changedByOf({ actor, at, revision, changes }: Changed): Readonly<Record<Field, FieldChangedBy>> {
  return Object.fromEntries(Object.keys(changes).map((field) => [field, { actor, at, revision }]));
}

function arrivalOf({ type: _, latencyMs, ...arrival }: Extract<FollowEvent, { type: 'arrival' }>): Live['arrival'] {
  return { ...arrival, ...(latencyMs !== null && { latencyMs }) };
}
